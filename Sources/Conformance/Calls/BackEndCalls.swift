import JSONText
import SQLiteAccess
import Soups

/// The calls about the back end itself.
enum BackEndCalls {
    static let all: [CallHandler] = [
        .reads("hello") { (context, arguments) throws(Fault) in
            if let format = try arguments.optionalInteger("format"), format != 1 {
                throw Fault(.unsupported, "unsupported format \(format); only format 1 is supported")
            }
            return [
                "name": .string(context.backEnd.rawValue), "version": "1", "format": 1,
                "capabilities": .array(
                    context.capabilities.map { .string($0.rawValue) }.sorted { ($0.string ?? "") < ($1.string ?? "") }),
            ]
        },
        .apart("reset", writes: false) { (context, _) throws(Fault) in
            try context.reset()
            return true
        },
    ]
}

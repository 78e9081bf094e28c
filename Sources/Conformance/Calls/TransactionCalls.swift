import JSONText
import Soups

/// The calls that make one transaction of the calls between them.
enum TransactionCalls {
    static let all: [CallHandler] = [
        .apart("beginTransaction", writes: false) { (context, arguments) throws(Fault) in
            try context.beginTransaction(arguments)
            return true
        },
        .apart("commit", writes: false) { (context, arguments) throws(Fault) in
            try context.endTransaction(.commit, arguments)
            return true
        },
        .apart("rollback", writes: false) { (context, arguments) throws(Fault) in
            try context.endTransaction(.rollback, arguments)
            return true
        },
    ]
}

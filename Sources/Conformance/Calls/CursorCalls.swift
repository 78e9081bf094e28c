import JSONText
import OfflineStore
import Soups

/// The calls that move a cursor.
enum CursorCalls {
    static let all: [CallHandler] = [
        .reads("moveCursorToPageIndex") { (context, arguments) throws(Fault) in
            let index = try arguments.integer("index")
            return try context.cursor(arguments).moving { (cursor) throws(Fault) in
                try cursor.moveToPage(Int(clamping: index))
            }
        },
        .reads("moveCursorToNextPage") { (context, arguments) throws(Fault) in
            try context.cursor(arguments).moving { (cursor) throws(Fault) in try cursor.moveToNextPage() }
        },
        .reads("moveCursorToPreviousPage") { (context, arguments) throws(Fault) in
            try context.cursor(arguments).moving { (cursor) throws(Fault) in try cursor.moveToPreviousPage() }
        },
        .reads("closeCursor") { (context, arguments) throws(Fault) in
            try context.closeCursor(arguments)
            return "OK"
        },
    ]
}

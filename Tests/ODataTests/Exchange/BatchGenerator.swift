import OData
import TestSupport

/// Makes random batches of requests, whose bodies look like delimiters of batches.
enum BatchGenerator {
    static func batch(_ random: inout SeededRandom) -> ODataBatch {
        var batch = ODataBatch()
        var number = 0
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            guard Bool.random(using: &random) else {
                number += 1
                batch.append(
                    message(number, method: ["GET", "DELETE"][Int.random(in: 0...1, using: &random)], &random))
                continue
            }
            let name = "group\(number)"
            var messages: [ODataBatch.Message] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                number += 1
                messages.append(message(number, method: "POST", &random))
            }
            batch.append(ODataBatch.ChangeSet(messages, name: name))
        }
        return batch
    }

    private static func message(
        _ number: Int, method: String, _ random: inout SeededRandom
    ) -> ODataBatch.Message {
        var message = ODataBatch.Message(method, "Items(\(number))?$x=%C3%A4", contentID: "\(number)")
        guard method == "POST" else {
            return message
        }
        let isJSON = Bool.random(using: &random)
        message.headers = [.init("content-type", isJSON ? "application/json" : "image/png")]
        let pieces = ["--b", "--b--", "--changeset_1", "--b_1", "\r\n", "\n", "x", "--"]
        let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }.joined()
        message.body = Array(isJSON ? "{\"A\":[\(number),\"ä\"]}".utf8 : ("x" + text + "x").utf8)
        return message
    }
}

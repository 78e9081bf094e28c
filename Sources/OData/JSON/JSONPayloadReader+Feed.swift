import JSONText
import Soups

extension JSONPayloadReader {
    mutating func enterFeed() {
        if context == nil, builder.format != .verbose {
            lookAhead.begin()
        }
        hasFeed = true
        position += 1
        state = .firstElement
    }

    /// Reads the body from its start, because it is known now how the elements that were looked at must be read.
    mutating func restart() {
        lookAhead.end()
        position = 0
        retryAt = 0
        state = .beginning
        hasFeed = false
        members = []
        feed.annotations = []
    }

    mutating func leaveFeed() {
        state = isBareArray ? (isInsideD ? .separator : .closing) : .separator
        if isBareArray, isInsideD {
            isInsideD = false
        }
    }

    /// Handles the end of a body with a feed: reads the members other than the entries.
    mutating func end() throws(Fault) -> PayloadStep? {
        if lookAhead.isActive {
            restart()
            return nil
        }
        if isWaiting {
            isWaiting = false
            ready = waiting.reversed().map { step in base.map { step.rebased($0) } ?? step }
            waiting = []
            if let step = ready.popLast() {
                return step
            }
        }
        state = .ended
        try JSONEnvelope.fill(&feed, from: members, base: base, at: before + position)
        if linkForm != nil || (!hasElements && linkFormOfContext != nil) {
            let base = base
            return .end(
                .links(
                    links.map { $0.base == nil ? URLReference($0.text, base: base) : $0 }, count: feed.count,
                    nextLink: feed.nextLink))
        }
        return .end(.feed(feed))
    }

    mutating func readWhole() throws(Fault) -> PayloadStep {
        state = .ended
        var start = 0
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            start = 3
        }
        do {
            try buffer.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try tape.read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...])))
            }
        } catch {
            throw Fault(error, depthLimit: PayloadOptions.depthLimit).shifted(by: start)
        }
        builder.format = formatOutsideD ?? builder.format
        // The context is read once more, and a relative one would be resolved against itself.
        let base = options.baseURL.map(BaseURL.init)
        do throws(Fault) {
            let payload = try tape.withRoot { (root) throws(Fault) in try JSONDocument.read(root, &builder, base: base)
            }
            return .end(payload)
        } catch {
            throw error.shifted(by: start)
        }
    }
}

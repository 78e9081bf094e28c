public import JSONText
public import Soups

/// What other users do on the service, unseen by the client: nothing of it is logged.
extension MockService {
    /// Creates a record and returns its id.
    ///
    /// Throws `invalidArguments` with the service's message if the service would refuse the record.
    @discardableResult
    public func create(_ type: String, _ fields: JSONObject) throws(Fault) -> String {
        try locked { (state) throws(Fault) in
            try Self.checked { () throws(MockError) in
                let id = try state.tables.create(type, fields, at: state.clock.now)
                state.recent.touch(type, id)
                return id
            }
        }
    }

    /// Changes fields of a record. Throws `invalidArguments` if the service would refuse that.
    public func update(_ type: String, _ id: String, _ fields: JSONObject) throws(Fault) {
        try locked { (state) throws(Fault) in
            try Self.checked { () throws(MockError) in
                try state.tables.update(type, id, fields, at: state.clock.now)
                state.recent.touch(type, id)
            }
        }
    }

    /// Deletes a record. Throws `invalidArguments` if there is none.
    public func delete(_ type: String, _ id: String) throws(Fault) {
        try locked { (state) throws(Fault) in
            try Self.checked { () throws(MockError) in
                try state.tables.delete(type, id, keepsReferring: state.options.keepsReferring)
            }
        }
    }

    /// Returns a record with all its fields; `nil` if the table has no record with this id.
    public func record(_ type: String, _ id: String) -> JSONObject? {
        peek { state in
            guard let position = state.tables.position(of: type) else { return nil }
            let table = state.tables[position]
            return table.records[id]?.json(of: table.object)
        }
    }

    /// Returns the records of a type in the order of creation; none for an unknown type.
    public func records(of type: String) -> [JSONObject] {
        peek { state in
            guard let position = state.tables.position(of: type) else { return [] }
            let table = state.tables[position]
            return table.inOrder.map { $0.json(of: table.object) }
        }
    }

    /// Sets which records of a type count as the last touched ones; nil for those that really were.
    public func setRecent(_ type: String, _ ids: [String]?) { peek { $0.recent.set(type, ids) } }

    private static func checked<R>(_ work: () throws(MockError) -> R) throws(Fault) -> R {
        do {
            return try work()
        } catch {
            throw Fault(.invalidArguments, "the mock service refuses that: \(error.code)")
        }
    }
}

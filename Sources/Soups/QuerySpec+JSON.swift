public import JSONText

extension QuerySpec {
    /// Creates a query spec from its JSON form.
    ///
    /// JSON null means the same as a missing member, and unknown members are ignored. The default of `order` is
    /// ascending, that of `pageSize` is 10. If `order` is given without `orderPath`, the path of the condition is used,
    /// as before version 3.3; without both, the result is unordered. Keys keep their type: string, number or boolean.
    /// The spec is validated.
    ///
    /// Source: guide, Retrieving Data from a Soup.
    /// - Throws: `invalidQuerySpec` for a value that is not an object, an unknown kind or order, a member of the wrong
    ///   type or a missing key; `invalidPageSize`.
    public init(json: JSONValue) throws(Fault) {
        guard let members = json.object else {
            throw Fault(.invalidQuerySpec, "a query spec must be a JSON object")
        }
        guard let kindName = try members.text("queryType") else {
            throw Fault(.invalidQuerySpec, "queryType is missing")
        }
        guard let kind = Kind(rawValue: kindName) else {
            throw Fault(.invalidQuerySpec, "queryType must be all, exact, range, like, match or smart")
        }

        self.init(kind: kind)
        indexPath = try members.text("indexPath")
        matchKey = try members.key("matchKey")
        beginKey = try members.key("beginKey")
        endKey = try members.key("endKey")
        likeKey = try members.key("likeKey")
        smartSql = try members.text("smartSql")
        orderPath = try members.text("orderPath")
        if let orderName = try members.text("order") {
            guard let order = SortOrder(rawValue: orderName) else {
                throw Fault(.invalidQuerySpec, "order must be ascending or descending")
            }
            self.order = order
            orderPath = orderPath ?? indexPath
        }
        if let size = members.present("pageSize") {
            pageSize = try Self.pageSize(size)
        }
        if let paths = members.present("selectPaths") {
            selectPaths = try Self.paths(paths)
        }
        try validate()
    }

    /// The JSON form: the members of the kind in a fixed order, with keys in their own type.
    public var json: JSONValue {
        var members = JSONObject([("queryType", .string(kind.rawValue))])
        if kind == .smart {
            members["smartSql"] = smartSql.map(JSONValue.string)
        } else {
            members["indexPath"] = indexPath.map(JSONValue.string)
            members["matchKey"] = matchKey?.json
            members["beginKey"] = beginKey?.json
            members["endKey"] = endKey?.json
            members["likeKey"] = likeKey?.json
            members["orderPath"] = orderPath.map(JSONValue.string)
            // Without a path the order applies to ids only. A reader would take it as the order of the path of the
            // condition.
            if orderPath != nil || indexPath == nil {
                members["order"] = .string(order.rawValue)
            }
            members["selectPaths"] = selectPaths.map { .array($0.map(JSONValue.string)) }
        }
        members["pageSize"] = .number(JSONNumber(Int64(pageSize)))
        return .object(members)
    }

    private static func pageSize(_ value: JSONValue) throws(Fault) -> Int {
        guard let number = value.number else {
            throw Fault(.invalidQuerySpec, "pageSize must be a whole number")
        }
        guard number.double >= 1 else {
            throw Fault(.invalidPageSize, "pageSize must be at least 1")
        }
        guard let size = number.int64, let size = Int(exactly: size) else {
            throw Fault(.invalidQuerySpec, "pageSize must be a whole number")
        }
        return size
    }

    private static func paths(_ value: JSONValue) throws(Fault) -> [String] {
        guard let elements = value.array else {
            throw Fault(.invalidQuerySpec, "selectPaths must be an array of paths")
        }
        var paths: [String] = []
        for element in elements {
            guard let path = element.string else {
                throw Fault(.invalidQuerySpec, "selectPaths must be an array of paths")
            }
            paths.append(path)
        }
        return paths
    }
}

extension QuerySpec.Key {
    /// Creates a key from a string, number or boolean. Whole numbers that fit into 64 bits become integers, and larger
    /// ones keep their digits. All other numbers become doubles.
    package init?(json: JSONValue) {
        switch json {
        case .string(let text): self = .string(text)
        case .bool(let value): self = .boolean(value)
        case .number(let number):
            // Only a number that is written again in the same way needs no text.
            if let whole = Int64(number.text), String(whole).utf8.elementsEqual(number.text.utf8) {
                self = .integer(whole)
            } else if "\(number.double)".utf8.elementsEqual(number.text.utf8) {
                self = .floating(number.double)
            } else {
                self = .number(number.text)
            }
        case .null, .array, .object: return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let value): .number(JSONNumber(value))
        case .number(let digits): (try? JSONValue(parsing: Array(digits.utf8))) ?? .string(digits)
        // 10.0 stays apart from the integer 10, which is another text in a string index.
        case .floating(let value): (try? JSONValue(parsing: Array("\(value)".utf8))) ?? .null
        case .boolean(let value): .bool(value)
        }
    }
}

extension JSONObject {
    /// The member with a name, unless it is null.
    fileprivate func present(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    fileprivate func text(_ name: String) throws(Fault) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else {
            throw Fault(.invalidQuerySpec, "\(name) must be a string")
        }
        return text
    }

    fileprivate func key(_ name: String) throws(Fault) -> QuerySpec.Key? {
        guard let value = present(name) else { return nil }
        guard let key = QuerySpec.Key(json: value) else {
            throw Fault(.invalidQuerySpec, "\(name) must be a string, a number or a boolean")
        }
        return key
    }
}

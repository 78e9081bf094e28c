import JSONText

/// An entity as it is written.
struct OutEntity {
    var set: String
    var type: String
    var values: [(property: MockProperty, value: JSONValue)]
    var etag: String?
    /// The absolute URL.
    var url: String
    /// The set and the predicate.
    var path: String
    var navigations: [OutNavigation] = []
}

/// A navigation property as it is written.
struct OutNavigation {
    enum Content {
        case deferred
        case entity(OutEntity?)
        case feed([OutEntity])
    }

    var name: String
    var isCollection: Bool
    var content: Content
}

/// A page of entities or changes as it is written.
struct OutPage {
    enum Item {
        case entity(OutEntity)
        case removed(path: String, reason: String)
        case link(source: String, name: String, target: String, isRemoved: Bool)
    }

    var set: String
    var items: [Item]
    var count: Int?
    var next: String?
    var delta: String?
    var isDelta = false

    var entities: [OutEntity] {
        items.compactMap { item in
            if case .entity(let entity) = item {
                entity
            } else {
                nil
            }
        }
    }
}

/// An error as it is written.
struct OutError {
    var code: String
    var message: String
    var target: String?
}

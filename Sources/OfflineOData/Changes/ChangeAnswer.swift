import JSONText
import LocalChanges
import OData
import ServiceTransport
import Soups

/// A change that was sent, with its row as it was read for the request.
struct SentChange: Sendable {
    var change: PlannedChange
    /// The row as it was read.
    var image: JSONObject
    /// The version that its changes started from.
    let base: JSONObject?
    /// The properties that were sent.
    let sent: JSONObject
    /// Whether the service could do the insert twice.
    let mayDouble: Bool
    /// The number of the soup when the change was sent, which tells it from a later one of its name; nil for a change
    /// that needs no answer.
    var soupId: Int64?

    var set: MappedEntitySet { change.set }
    /// The key of the entity that the change is for.
    var key: String { change.partner?.keyText ?? image.keyText }
}

/// What an answer means for the change that it answers.
enum Verdict: Sendable {
    /// The service has done it: with the entity as it is now, its key and its ETag, as far as they are known.
    case done(ArrivedEntity?, key: String?, etag: String?)
    /// The service has refused it.
    case refused(JSONObject)
    /// The service has no such entity any more.
    case gone
    /// The service has another version: the one in the answer, or it has to be asked for.
    case changed(ArrivedEntity?)
    /// The service asks for the ETag of the version that the change is for.
    case needsETag
    /// The service has an entity with the key of the new one.
    case exists(JSONObject)
    /// It is not known whether the service has done it.
    case unknown(JSONObject)
    /// It was not done.
    case notDone(JSONObject?)
    /// It was not done, or this is not known, and nothing more can be sent now.
    case ends(Fault, mayBeDone: Bool, JSONObject?)
}

/// Reads answers to changes.
struct ChangeAnswerReader {
    let client: ODataClient

    /// What an answer means.
    ///
    /// - Parameter isPart: Whether it is a part of a batch, after which the run goes on.
    func verdict(_ sent: SentChange, _ response: ServiceResponse, to request: ServiceRequest, isPart: Bool) -> Verdict {
        let answer: ODataAnswer
        do throws(Fault) {
            let options = client.connection.payloadOptions(
                response, to: request, model: client.map.model, entityType: sent.set.forRow(sent.image).entityType)
            answer = try ODataAnswer(
                status: response.status, headers: response.headerPairs, body: response.body, options: options)
        } catch {
            return unreadable(sent, response, error)
        }
        let error = ServiceRefusal.json(status: response.status, answer.error)
        switch response.status {
        case 200...299 where Self.isPage(response):
            return foreignAnswer(
                "the service answered a change with a page of HTML", answer, to: request, isPart: isPart)
        case 202:
            return .unknown(
                ServiceRefusal.json(
                    status: 202, code: "unsupported", "the service answers later, which is not supported"))
        case 200...299: return success(sent, answer, to: request, isPart: isPart)
        case 404, 410: return sent.change.operation == .delete ? .done(nil, key: nil, etag: nil) : missing(sent, error)
        case 409 where sent.change.isInsert && !LocalId.isLocal(sent.image.keyText): return .exists(error)
        case 412 where !sent.change.isInsert:
            // Without its ETag the change cannot be sent again for this version: the entity is asked for.
            let theirs = entity(in: answer, sent.set)
            let isTheirs = theirs.map { $0.etag != nil && ByteKey($0.key) == ByteKey(sent.key) } ?? false
            return .changed(isTheirs ? theirs : nil)
        case 424: return .notDone(nil)
        case 428 where !sent.change.isInsert: return .needsETag
        case 401, 429: return isPart ? .notDone(error) : ends(response, request, mayBeDone: false, error)
        case 501: return .refused(error)
        case 500...599:
            guard answer.error == nil else {
                return isPart ? .refused(error) : ends(response, request, mayBeDone: false, error)
            }
            return isPart ? .unknown(error) : ends(response, request, mayBeDone: true, error)
        case 400...499: return .refused(error)
        default: return ends(response, request, mayBeDone: true, error)
        }
    }

    /// What an answer means whose body cannot be read. With a status of success the change was taken, whatever the body
    /// says; of a new entity the key must be known too.
    private func unreadable(_ sent: SentChange, _ response: ServiceResponse, _ fault: Fault) -> Verdict {
        let unknown = Verdict.unknown(
            ServiceRefusal.json(status: response.status, code: fault.code.rawValue, fault.message))
        guard (200...299).contains(response.status), response.status != 202 else { return unknown }
        let etag = Self.etag(response.header("ETag"))
        guard sent.change.isInsert else {
            return .done(nil, key: nil, etag: etag)
        }
        guard !Self.isPage(response),
            let key = key(inHeaders: response.header, sent.set) ?? (response.status == 201 ? clientKey(sent) : nil)
        else { return unknown }
        return .done(nil, key: key, etag: etag)
    }

    private func missing(_ sent: SentChange, _ error: JSONObject) -> Verdict {
        sent.change.isInsert ? .refused(error) : .gone
    }

    private func ends(
        _ response: ServiceResponse, _ request: ServiceRequest, mayBeDone: Bool, _ error: JSONObject
    ) -> Verdict {
        let fault =
            AnswerFault.fault(response, to: request) ?? AnswerFault.malformed(request, "the answer has another status")
        return .ends(fault, mayBeDone: mayBeDone, error)
    }

    private func success(
        _ sent: SentChange, _ answer: ODataAnswer, to request: ServiceRequest, isPart: Bool
    ) -> Verdict {
        if answer.error != nil {
            if sent.change.isInsert, answer.status == 201 {
                return created(sent, answer)
            }
            return .refused(ServiceRefusal.json(status: answer.status, answer.error))
        }
        let known = sent.change.isInsert ? key(in: answer, sent.set) ?? clientKey(sent) : sent.key
        let arrived = entity(in: answer, sent.set, key: known)
        let etag = Self.etag(answer["ETag"]) ?? arrived?.etag
        guard sent.change.isInsert else {
            if sent.change.operation == .update, let arrived, ByteKey(arrived.key) != ByteKey(sent.key) {
                return foreignAnswer(
                    "the answer to an update has another entity", answer, to: request, isPart: isPart)
            }
            return .done(arrived, key: nil, etag: etag)
        }
        guard let key = arrived?.key ?? known else {
            return .unknown(
                ServiceRefusal.json(
                    status: answer.status, code: "noKey", "the service has created the entity, but names no key"))
        }
        return .done(arrived, key: key, etag: etag)
    }

    /// An insert whose answer says that it was done, with a body that looks like an error: an entity may have a
    /// property of that name. Sent again, it could be done twice.
    private func created(_ sent: SentChange, _ answer: ODataAnswer) -> Verdict {
        guard let key = key(in: answer, sent.set) ?? clientKey(sent) else {
            return .unknown(ServiceRefusal.json(status: answer.status, answer.error))
        }
        return .done(nil, key: key, etag: Self.etag(answer["ETag"]))
    }

    /// Whether a body is a page for people, as a proxy answers with: it says nothing about the entity.
    private static func isPage(_ response: ServiceResponse) -> Bool {
        let type = response.header("Content-Type").map { ContentType($0).mediaType }
        guard type != "text/html" else {
            return !response.body.isEmpty
        }
        let start = response.body.drop { $0 <= 0x20 }.prefix(9)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text.hasPrefix("<html") || text == "<!doctype"
    }

    /// An answer that may belong to another request, or is not the service's.
    private func foreignAnswer(
        _ message: String, _ answer: ODataAnswer, to request: ServiceRequest, isPart: Bool
    ) -> Verdict {
        let fault = AnswerFault.malformed(request, message)
        let error = ServiceRefusal.json(status: answer.status, code: fault.code.rawValue, fault.message)
        return isPart ? .unknown(error) : .ends(fault, mayBeDone: true, error)
    }

    /// The ETag in a header; nil for an empty one.
    private static func etag(_ header: String?) -> String? { header.flatMap { $0.isEmpty ? nil : $0 } }

    /// The key that the client has given, or whose parts are all known by now.
    private func clientKey(_ sent: SentChange) -> String? {
        guard LocalId.isLocal(sent.image.keyText) else {
            return sent.image.keyText
        }
        return try? client.clientKey(of: sent.image, sent.set)
    }

    private func key(in answer: ODataAnswer, _ set: MappedEntitySet) -> String? {
        key(inHeaders: { answer[$0] }, set)
    }

    /// The key that a header names.
    private func key(inHeaders value: (String) -> String?, _ set: MappedEntitySet) -> String? {
        let links = [value("OData-EntityId"), value("DataServiceId"), value("Location")]
        return links.compactMap(\.self).lazy.compactMap { client.reading.key(inURL: $0, of: set) }.first
    }

    /// Whether an object says nothing about an entity of the set: no property that the metadata has, and no control
    /// information.
    private func isForeign(_ entry: ODataEntry, _ set: MappedEntitySet) -> Bool {
        guard let model = set.model, let type = set.entityType, !entry.properties.isEmpty, entry.navigation.isEmpty,
            entry.type == nil, entry.id == nil, entry.editLink == nil, entry.etag == nil
        else { return false }
        return entry.properties.allSatisfy { model.property($0.name, of: type) == nil } && !model.isOpen(type)
    }

    /// The entity of an answer; nil for an answer without an entity.
    ///
    /// - Parameter key: The key of an entity that does not say its own.
    private func entity(in answer: ODataAnswer, _ set: MappedEntitySet, key: String? = nil) -> ArrivedEntity? {
        guard let entry = answer.entry, answer.error == nil, !isForeign(entry, set) else { return nil }
        let entity = (try? client.pushReading.entity(entry, of: set, key: key))?.with(etag: answer["ETag"])
        return entity.flatMap { storable($0, set) }
    }

    /// An entity without properties that no index can hold: the change was done, and its row must be saved. Nil if its
    /// key is one of them.
    private func storable(_ entity: ArrivedEntity, _ set: MappedEntitySet) -> ArrivedEntity? {
        guard !entity.key.utf8.contains(0) else { return nil }
        let found = (try? UnindexableValues.names(in: entity.properties, of: set.soup, client.store)) ?? []
        guard !found.isEmpty else { return entity }
        let names = Set(found.map { ByteKey($0) })
        var entity = entity
        entity.properties = entity.properties.removing { names.contains(ByteKey($0)) }
        entity.control["partial"] = true
        return entity
    }
}

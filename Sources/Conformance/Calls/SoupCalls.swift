import JSONText
import OfflineStore
import Soups

/// The calls that register, change and remove soups.
enum SoupCalls {
    static let all: [CallHandler] = [
        .writes("registerSoup") { (context, arguments) throws(Fault) in
            // Each part is checked before the next one is read, because the contract defines which of several errors is
            // reported.
            let name = try arguments.newSoupName()
            try SmartStore.check(soupName: name)
            let indexSpecs = try arguments.indexSpecs()
            try SmartStore.check(indexSpecs: indexSpecs, ofSoup: name)
            let spec = SoupSpec(name: name, features: try arguments.features())
            return .string(try context.store(arguments).registerSoup(spec, indexSpecs: indexSpecs))
        },
        .reads("soupExists") { (context, arguments) throws(Fault) in
            .bool(try context.store(arguments).soupExists(arguments.soupName()))
        },
        .reads("getSoupIndexSpecs") { (context, arguments) throws(Fault) in
            let specs = try context.store(arguments).indexSpecs(ofSoup: arguments.soupName())
            return .array(specs.map { ["path": .string($0.path), "type": .string($0.type.rawValue)] })
        },
        .reads("getSoupSpec") { (context, arguments) throws(Fault) in
            let spec = try context.store(arguments).soupSpec(ofSoup: arguments.soupName())
            return ["name": .string(spec.name), "features": .array(spec.features.map { .string($0.rawValue) })]
        },
        .reads("getAllSoupNames") { (context, arguments) throws(Fault) in
            .array(try context.store(arguments).allSoupNames().map(JSONValue.string))
        },
        .writes("alterSoup") { (context, arguments) throws(Fault) in
            let (store, name) = (try context.store(arguments), try arguments.soupName())
            let known = try store.indexSpecs(ofSoup: name)
            let indexSpecs = try arguments.indexSpecs()
            try SmartStore.check(indexSpecs: indexSpecs, ofSoup: name, known: known)
            var spec: SoupSpec?
            if arguments.value("soupSpec") != nil {
                spec = SoupSpec(name: name, features: try arguments.features())
            }
            var reports: [AlterationProgress] = []
            let altered = try store.alterSoup(
                name, soupSpec: spec, indexSpecs: indexSpecs,
                reIndexData: arguments.flag("reIndexData", default: false), progress: { reports.append($0) })
            let last = reports.reduce(into: [:]) { $0[$1.step] = $1 }
            guard last.values.allSatisfy({ $0.entriesDone == $0.entriesTotal }) else {
                throw EntryReadings.disagreement("as progress")
            }
            return .string(altered)
        },
        .writes("reIndexSoup") { (context, arguments) throws(Fault) in
            let name = try arguments.soupName()
            try context.store(arguments).reIndexSoup(name, paths: arguments.texts("paths"))
            return .string(name)
        },
        .writes("clearSoup") { (context, arguments) throws(Fault) in
            try context.store(arguments).clearSoup(arguments.soupName())
            return "OK"
        },
        .writes("removeSoup") { (context, arguments) throws(Fault) in
            try context.store(arguments).removeSoup(arguments.soupName())
            return "OK"
        },
    ]
}

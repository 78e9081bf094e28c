import JSONText
import OfflineStore
import Soups

/// The calls that register, change and remove soups.
enum SoupCalls {
    static let all: [CallHandler] = [
        .writes("registerSoup") { (context, arguments) throws(Fault) in
            let spec = try arguments.soupSpec()
            // The name is checked before the specs are read, because the contract defines which of two errors is
            // reported.
            try SmartStore.check(soupName: spec.name)
            return .string(try context.store(arguments).registerSoup(spec, indexSpecs: arguments.indexSpecs()))
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
            let name = try arguments.soupName()
            var spec: SoupSpec?
            if let given = arguments.value("soupSpec") {
                spec = SoupSpec(name: name, features: try CallArguments.features(given["features"]))
            }
            return .string(
                try context.store(arguments).alterSoup(
                    name, soupSpec: spec, indexSpecs: arguments.indexSpecs(),
                    reIndexData: arguments.flag("reIndexData", default: false)))
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

import Soups

/// Where and with which programs a run is measured.
package struct RunSetting: Sendable {
    package let scope: CellScope
    /// This program, as a path that can be started again.
    package let executable: String
    /// Arguments that make it a worker.
    package let workerArguments: [String]
    /// Other builds of the program, by the name that follows `@` in the names of their arms.
    package let builds: [(name: String, executable: String)]
    /// The folder of the measured files, with a folder for each arm.
    package let dataFolder: String

    package init(
        scope: CellScope, executable: String, workerArguments: [String],
        builds: [(name: String, executable: String)] = [], dataFolder: String
    ) {
        self.scope = scope
        self.executable = executable
        self.workerArguments = workerArguments
        self.builds = builds
        self.dataFolder = dataFolder
    }

    func executable(of build: String) -> String {
        builds.first { ByteKey($0.name) == ByteKey(build) }?.executable ?? executable
    }

    func folder(of arm: Arm) -> String {
        dataFolder + "/"
            + String(decoding: arm.name.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    /// The folder of templates that the ways of working on one back end (`plain/string`, `plain/json1`) share; each
    /// build has its own. nil for arms that are alone on their back end.
    private func masters(of arm: Arm) -> String? {
        guard !arm.way.isEmpty else { return nil }
        let backend = arm.work.name.split(separator: "/").first ?? ""
        return dataFolder + "/masters-" + backend + (arm.build.map { "@" + $0 } ?? "")
    }

    /// Creates an arm's folders for a block.
    func workplace(of arm: Arm) throws(Fault) -> Workplace {
        let folder = folder(of: arm)
        try Folders.remove(folder + "/block")
        try Folders.make(folder + "/block")
        try Folders.make(folder + "/templates")
        return Workplace(
            arm: arm, folder: folder + "/block", templates: folder + "/templates", seed: scope.seed,
            masters: masters(of: arm))
    }
}

/// What a cell gets to prepare an arm: folders on the measured disk, and the seed for random numbers.
///
/// Every arm has folders of its own, so that no file is ever used by two libraries.
package struct Workplace: Sendable {
    package let arm: Arm
    /// An empty folder for this arm and this block; removed when the block ends.
    package let folder: String
    /// A folder that lasts as long as the run, for the templates of many blocks.
    package let templates: String
    package let seed: UInt64
    /// A folder of templates that other arms of the same back end copy too; nil if there are no such arms.
    package let masters: String?

    package init(arm: Arm, folder: String, templates: String, seed: UInt64, masters: String? = nil) {
        self.arm = arm
        self.folder = folder
        self.templates = templates
        self.seed = seed
        self.masters = masters
    }

    /// Finds or creates a template, such as a filled store, from which many blocks start.
    ///
    /// `make` gets a folder to fill and must close every file in it. The folder is renamed when it is complete, so that
    /// an interrupted block leaves no incomplete one. To change the files, use `copy(ofTemplate:)`. The name must
    /// contain everything that the content depends on except the back end: arms of one back end get copies of the
    /// folder that the first of them created.
    package func template(_ name: String, make: (_ folder: String) throws -> Void) throws -> String {
        try Self.whole(templates + "/" + name) { unfinished in
            guard let masters else {
                try Folders.make(unfinished)
                return try make(unfinished)
            }
            let master = try Self.whole(masters + "/" + name) { unfinished in
                try Folders.make(unfinished)
                try make(unfinished)
            }
            try Folders.copy(master, to: unfinished)
        }
    }

    /// Creates a folder under another name and renames it when it is complete, unless it exists already.
    private static func whole(_ path: String, make: (_ unfinished: String) throws -> Void) throws -> String {
        if Folders.exists(path) {
            return path
        }
        let unfinished = path + ".unfinished"
        try Folders.remove(unfinished)
        try make(unfinished)
        try Folders.rename(unfinished, to: path)
        return path
    }

    /// Copies a template's files into this block's folder and returns the copy's folder.
    package func copy(ofTemplate name: String, make: (_ folder: String) throws -> Void) throws -> String {
        let original = try template(name, make: make)
        let copy = folder + "/" + name
        try Folders.copy(original, to: copy)
        return copy
    }
}

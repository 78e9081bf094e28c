/// What a cell finds when it prepares an arm: folders on the disk that is measured, and the seed of whatever is drawn.
///
/// Every arm has folders of its own, so that no two libraries ever see one file.
package struct Workplace: Sendable {
    package let arm: Arm
    /// An empty folder for this arm and this block; removed when the block ends.
    package let folder: String
    /// A folder that lasts as long as the run, for what many blocks start from.
    package let templates: String
    package let seed: UInt64
    /// A folder for templates that other arms of the same back end start from too, in copies of their own; nil if
    /// there are no such arms.
    package let masters: String?

    package init(arm: Arm, folder: String, templates: String, seed: UInt64, masters: String? = nil) {
        self.arm = arm
        self.folder = folder
        self.templates = templates
        self.seed = seed
        self.masters = masters
    }

    /// Finds or makes a folder of things that many blocks start from (a filled store, say).
    ///
    /// `make` gets a folder to fill and must close every file in it. It is renamed into place when it is whole, so that
    /// an interrupted block leaves no half-made one. To change the files, use `copy(ofTemplate:)`. The name
    /// says all that the content depends on but the back end: arms of one back end get copies of what the first of them
    /// made.
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

    /// Makes a folder under another name and renames it when it is whole, unless it is there.
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

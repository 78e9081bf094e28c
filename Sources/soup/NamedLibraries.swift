import ArgumentParser
import Platform
import SQLiteAccess
import Soups

/// The SQLite libraries that the environment names.
enum NamedLibraries {
    /// The commands that work with stores.
    private static let users = [
        BenchCommand.configuration, CheckCommand.configuration, ConformCommand.configuration,
        DoctorCommand.configuration, InspectCommand.configuration, ServeCommand.configuration,
    ].compactMap(\.commandName)

    /// Why a library that is named cannot be used by the command with these arguments; nil if it can, or if none is
    /// named or needed. Without this, another library or none would be measured and tested.
    static func fault(of arguments: ArraySlice<String>) -> String? {
        guard let name = arguments.first, users.contains(where: { ByteKey($0) == ByteKey(name) }),
            !arguments.contains(where: { ["-h", "--help"].contains($0) })
        else {
            return nil
        }
        for (variable, flavour) in [("SOUP_SQLITE", SQLiteLibrary.Flavour.plain), ("SOUP_SQLCIPHER", .cipher)] {
            guard let path = CurrentProcess.environment(variable) else { continue }
            do throws(Fault) { _ = try SQLiteLibrary.find(flavour) } catch {
                return
                    "\(variable) names \(path), which cannot be used: \(error.message); name another library, or unset it"
            }
        }
        return nil
    }
}

#if !canImport(FoundationEssentials)
public import FoundationTypes
public import Soups

// Where the whole of Foundation is there anyway: Apple systems.
extension Fault: CustomNSError {
    /// The domain of all faults.
    public static var errorDomain: String { "OfflineCore.Fault" }

    /// The number of the code; 0 for a code that this version does not know.
    public var errorCode: Int { code.number ?? 0 }

    /// The texts that `LocalizedError` gives: no key and no value.
    public var errorUserInfo: [String: Any] {
        var texts = ["NSLocalizedDescription": description, "NSLocalizedFailureReason": code.rawValue]
        texts["NSLocalizedRecoverySuggestion"] = code.advice
        return texts
    }
}
#endif

import SQLiteAccess

/// The settings with which a program encrypts its stores.
enum CipherPreset: String, CaseIterable {
    /// SQLCipher 4's own.
    case `default`
    /// Mobile SDK since version 7.2.
    case mobileSDK = "mobile-sdk"
    /// Mobile SDK up to version 7.1: the format of SQLCipher 3.
    case mobileSDK7 = "mobile-sdk-7"
    /// Mobile SDK on iOS in a shared folder: the start of the file is plain, and the salt elsewhere.
    case mobileSDKShared = "mobile-sdk-ios-shared"

    /// The word for trying them in turn.
    static let automatic = "auto"

    func settings(salt: [UInt8]?) -> CipherSettings {
        switch self {
        case .default: CipherSettings(salt: salt)
        case .mobileSDK: CipherSettings(kdfIterations: 4000, salt: salt)
        case .mobileSDK7: CipherSettings(compatibility: 3, kdfIterations: 4000, salt: salt)
        case .mobileSDKShared: CipherSettings(kdfIterations: 4000, plaintextHeaderSize: 32, salt: salt)
        }
    }
}

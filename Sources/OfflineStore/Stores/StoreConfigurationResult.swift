public import Soups

/// Reports what loading a configuration did, soup by soup.
public struct StoreConfigurationResult: Sendable {
    /// The names of the soups that were created, in order.
    public internal(set) var created: [String] = []
    /// The names of the soups that existed already: a configuration never alters one.
    public internal(set) var present: [String] = []
    /// The soups that could not be created, and why; the name is nil if the configuration gives none.
    public internal(set) var skipped: [(name: String?, reason: Fault)] = []
}

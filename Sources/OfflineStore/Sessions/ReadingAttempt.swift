/// How the reading call under way gets on with writers of external entries.
struct ReadingAttempt {
    /// The version of an external entry whose file this call did not find; nil if it found all.
    var missingElement: ElementVersion?
    /// Whether it ended because entries were changed faster than it could read them.
    var wasOvertaken = false
    /// The number of the state that the call sees, taken before it was fixed; nil if it was not known then.
    var commit: CommitNumber?
    /// Whether the work asked for that number when it was not known.
    var lacksCommit = false
}

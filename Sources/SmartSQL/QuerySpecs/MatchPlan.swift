/// How the pages of a query are read if a full-text table says which entries match.
enum MatchPlan: Sendable {
    /// Walks through the full-text table in the order of ids, and fetches the entries of the page only.
    case walkFullText
    /// Sorts the keys of all matches, and fetches the entries of the page only.
    case sortKeys
    /// Walks along the index of the order path, and leaves out what does not match.
    case walkOrder

    /// Chooses between `sortKeys` and `walkOrder`.
    ///
    /// Sorting costs a lookup for each match. Walking reads about `page * entries / matches` rows of the index, but all
    /// of them if the matches are at its end. So it is chosen only if at least every fourth entry matches, and in soups
    /// that are large enough for the difference to show: at its worst it then costs about what sorting costs.
    static func ordered(matches: Int64, entries: Int64) -> MatchPlan {
        entries >= 1000 && matches >= entries / 4 ? .walkOrder : .sortKeys
    }
}

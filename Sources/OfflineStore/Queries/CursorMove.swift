import SmartSQL

/// Says where a page begins.
enum CursorMove {
    case after(PageQuery.Position)
    case before(PageQuery.Position)
    case at(Int)
}

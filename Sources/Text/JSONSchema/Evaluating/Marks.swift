/// The members or items of one value that keywords have evaluated, by position, for `unevaluatedProperties` and
/// `unevaluatedItems`.
struct Marks {
    /// False if no keyword will use the marks, which is nearly always the case.
    let isWanted: Bool
    private var hasAll = false
    private var first: UInt64 = 0
    private var others: Set<Int> = []

    init(isWanted: Bool = false) { self.isWanted = isWanted }

    func contains(_ position: Int) -> Bool {
        hasAll || (position < 64 ? first & 1 << UInt64(position) != 0 : others.contains(position))
    }

    mutating func insert(_ position: Int) {
        guard isWanted else { return }
        if position < 64 { first |= 1 << UInt64(position) } else { others.insert(position) }
    }

    mutating func insertAll() { hasAll = true }

    mutating func formUnion(_ other: Marks) {
        guard isWanted else { return }
        hasAll = hasAll || other.hasAll
        first |= other.first
        if !other.others.isEmpty { others.formUnion(other.others) }
    }
}

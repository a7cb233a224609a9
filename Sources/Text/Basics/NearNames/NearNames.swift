/// Finds the names that a person may have meant, so that a typo gets a suggestion.
package enum NearNames {
    /// The candidates nearest to `word`, best first; empty if none is near enough.
    ///
    /// Only candidates that are equally near are returned, because a weaker match next to a better one is noise. A name is near
    /// if it differs only in case or by few edits, if one name begins with the other (`stag`, `staging`), or if its dotted parts
    /// are near (`usr.g`, `user.get`).
    package static func nearest(to word: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
        guard let typed = Folded(word), limit > 0 else { return [] }
        var bestRank = Int.max
        var found: [(name: String, sharedStart: Int)] = []
        var seen: Set<String> = []
        for candidate in candidates where candidate != word {
            guard let folded = Folded(candidate) else { continue }
            let rank = rank(typed, folded, bestSoFar: bestRank)
            guard rank != Int.max, rank <= bestRank, seen.insert(candidate).inserted else { continue }
            if rank < bestRank {
                bestRank = rank
                found.removeAll()
            }
            found.append((candidate, sharedStart(typed.scalars, folded.scalars)))
        }
        // Keeps the given order, except that candidates with a longer common beginning with the word come first.
        let ordered = found.enumerated().sorted {
            ($1.element.sharedStart, $0.offset) < ($0.element.sharedStart, $1.offset)
        }
        return ordered.prefix(limit).map(\.element.name)
    }

    /// The distance of two names. A smaller number means nearer names; `Int.max` means that the names are not near at all.
    private static func rank(_ typed: Folded, _ candidate: Folded, bestSoFar: Int) -> Int {
        if typed.scalars == candidate.scalars { return 0 }
        let allowed = allowedEdits(forLength: typed.scalars.count)
        if let edits = editDistance(typed.scalars, candidate.scalars, atMost: allowed), edits > 0 {
            return edits * 2
        }
        // An abbreviation ranks between one edit and two edits, so that "use" suggests "user" rather than "user.get".
        guard bestSoFar >= 3 else { return Int.max }
        if isAbbreviation(typed.scalars, of: candidate.scalars) || isAbbreviation(candidate.scalars, of: typed.scalars)
        {
            return 3
        }
        guard bestSoFar >= 7, partsAreNear(typed.parts, candidate.parts) else { return Int.max }
        return 7
    }

    /// The number of edits that count as a typo: more for long words, none for a single letter.
    static func allowedEdits(forLength length: Int) -> Int {
        switch length {
        case ...1: 0
        case 2...4: 1
        case 5...8: 2
        default: 3
        }
    }

    private static func isAbbreviation(_ short: ArraySlice<Unicode.Scalar>, of long: ArraySlice<Unicode.Scalar>) -> Bool
    {
        short.count >= 3 && long.starts(with: short)
    }

    /// Whether the typed dotted parts are near the first or the last dotted parts of the candidate.
    private static func partsAreNear(
        _ typed: [ArraySlice<Unicode.Scalar>], _ candidate: [ArraySlice<Unicode.Scalar>]
    ) -> Bool {
        guard candidate.count > 1, typed.count <= candidate.count else { return false }
        func near(_ candidateParts: ArraySlice<ArraySlice<Unicode.Scalar>>) -> Bool {
            zip(typed, candidateParts).allSatisfy { part, whole in
                if typed.count > 1, !part.isEmpty, whole.starts(with: part) { return true }
                return editDistance(part, whole, atMost: allowedEdits(forLength: part.count)) != nil
            }
        }
        return near(candidate.prefix(typed.count)) || near(candidate.suffix(typed.count))
    }

    private static func sharedStart(_ a: ArraySlice<Unicode.Scalar>, _ b: ArraySlice<Unicode.Scalar>) -> Int {
        zip(a, b).prefix { $0 == $1 }.count
    }
}

/// A name in lower case, as scalars and as dotted parts. The initializer returns nil for a name that is empty or too long to be a
/// typo.
private struct Folded {
    static let longest = 128

    let scalars: ArraySlice<Unicode.Scalar>

    var parts: [ArraySlice<Unicode.Scalar>] {
        scalars.split(separator: ".", omittingEmptySubsequences: false)
    }

    init?(_ name: String) {
        // `prefix` limits the work, because counting the scalars of a huge string is slow.
        let head = name.unicodeScalars.prefix(Self.longest + 1)
        guard !head.isEmpty, head.count <= Self.longest else { return nil }
        scalars = ArraySlice(name.lowercased().unicodeScalars)
    }
}

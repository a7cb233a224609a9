extension NearNames {
    /// The question `did you mean "a", "b" or "c"?`; nil if there are no names.
    package static func question(_ names: [String]) -> String? {
        let quoted = names.map { "\"\($0)\"" }
        guard let last = quoted.last else { return nil }
        let others = quoted.dropLast().joined(separator: ", ")
        return others.isEmpty ? "did you mean \(last)?" : "did you mean \(others) or \(last)?"
    }

    /// The question for the names nearest to `word`; nil if none is near.
    package static func question(for word: String, among candidates: some Sequence<String>) -> String? {
        question(nearest(to: word, among: candidates))
    }
}

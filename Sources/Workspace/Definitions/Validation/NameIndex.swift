import ReqcliBasics

/// Names to look up, with suggestions for typos.
final class NameIndex: Sendable {
    /// The maximum number of names that are compared for suggestions. Each suggestion compares all names, so without a
    /// limit, many unknown names would take time quadratic in the size of the workspace.
    private static let mostLooks = 200_000

    let names: [String]
    private let known: Set<String>
    private let questions = Mutex<[String: String?]>([:])

    init(_ names: [String]) {
        var known: Set<String> = []
        self.names = names.filter { known.insert($0).inserted }
        self.known = known
    }

    func contains(_ name: String) -> Bool { known.contains(name) }

    /// A suggestion such as `did you mean "user.get"?`.
    func question(for name: String) -> String? {
        questions.withLock { questions in
            if let asked = questions[name] { return asked }
            guard questions.count * names.count < Self.mostLooks else { return nil }
            let question = NearNames.question(for: name, among: names)
            questions[name] = .some(question)
            return question
        }
    }
}

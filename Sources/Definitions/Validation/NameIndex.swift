import NearNames
import Synchronization

/// Names to look up, with suggestions for typos.
final class NameIndex: Sendable {
    /// The maximum number of comparisons for suggestions, each of which looks at every name. Without it, renaming
    /// something large would take time quadratic in the size of the workspace.
    private static let mostLooks = 200_000

    /// Made when something is first looked up: most files have no missing names.
    private let table: Deferred<(names: [String], known: Set<String>)>
    private let questions = Mutex<[String: String?]>([:])

    init(_ names: @autoclosure @escaping @Sendable () -> [String]) {
        table = Deferred {
            var known: Set<String> = []
            return (names().filter { known.insert($0).inserted }, known)
        }
    }

    var names: [String] { table.value.names }

    func contains(_ name: String) -> Bool { table.value.known.contains(name) }

    /// A suggestion such as `did you mean "user.get"?`.
    func question(for name: String) -> String? {
        let names = names
        return questions.withLock { questions in
            if let asked = questions[name] { return asked }
            guard questions.count * names.count < Self.mostLooks else { return nil }
            let question = NearNames.question(for: name, among: names)
            questions[name] = .some(question)
            return question
        }
    }
}

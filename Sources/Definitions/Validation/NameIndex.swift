import NearNames
import Synchronization

/// Names to look up, with suggestions for typos.
final class NameIndex: Sendable {
    /// The maximum number of comparisons for suggestions, each of which looks at every name. Without it, renaming
    /// something large would take time quadratic in the size of the workspace.
    private static let mostLooks = 200_000

    private struct Table {
        let names: [String]
        let known: Set<String>
    }

    private let makeNames: @Sendable () -> [String]
    private let madeTable = Mutex<Table?>(nil)
    private let questions = Mutex<[String: String?]>([:])

    /// Builds the names when something is first looked up: most files have no missing names.
    init(_ names: @autoclosure @escaping @Sendable () -> [String]) { makeNames = names }

    private var table: Table {
        madeTable.withLock { made in
            if let made { return made }
            var known: Set<String> = []
            let table = Table(names: makeNames().filter { known.insert($0).inserted }, known: known)
            made = table
            return table
        }
    }

    var names: [String] { table.names }

    func contains(_ name: String) -> Bool { table.known.contains(name) }

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

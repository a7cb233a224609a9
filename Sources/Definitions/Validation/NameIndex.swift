import NearNames
import Synchronization

/// Names to look up, and to suggest to somebody who mistyped one.
final class NameIndex: Sendable {
    /// A suggestion looks at every name. Once so many were looked at no more are made, or a workspace in which something
    /// large was renamed would cost its size squared.
    private static let mostLooks = 200_000

    private struct Table {
        let names: [String]
        let known: Set<String>
    }

    private let makeNames: @Sendable () -> [String]
    private let madeTable = Mutex<Table?>(nil)
    private let questions = Mutex<[String: String?]>([:])

    /// The names are asked for when something is looked up: in most files nothing is missing.
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

    /// `did you mean "user.get"?`
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

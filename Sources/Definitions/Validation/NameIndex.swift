import NearNames
import Synchronization

/// Names to look up, and to suggest to somebody who mistyped one.
final class NameIndex: Sendable {
    /// A suggestion looks at every name. Once so many were looked at no more are made, or a workspace in which something
    /// large was renamed would cost its size squared.
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

    /// `did you mean "user.get"?`
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

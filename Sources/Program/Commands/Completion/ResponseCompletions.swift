import CommandLineKit
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The JSONPaths that `--select` offers: those of the values in the last response that the history keeps.
struct ResponseCompletions {
    private let history: History
    private let request: CompletionRequest

    /// Nil if there is no history.
    init?(_ context: Context, _ request: CompletionRequest) {
        let workspace = try? context.open(request.arguments, mayAsk: false)
        guard let history = History(of: workspace, context) else { return nil }
        self.history = history
        self.request = request
    }

    var answer: CompletionAnswer {
        guard let body = lastBody, let root = JSONDocument.read(SourceFile(name: "body", bytes: body)).validRoot else {
            return .nothing
        }
        var paths = Paths()
        paths.add(root, at: "$", depth: 0)
        return CompletionAnswer(paths.found.map { CompletionAnswer.Candidate($0) })
    }

    /// The body of the last call of the endpoint on the line; of the last call of all if the line has no endpoint.
    private var lastBody: [UInt8]? {
        let words = request.arguments.positionals.prefix(2)
        return history.calls().reversed().lazy.compactMap(history.entry).first { entry in
            entry.extent == .whole && entry.isWhole && (words.isEmpty || words.contains(entry.endpoint))
        }?.body
    }

    /// Collects the paths of a value, of all elements of a list at once.
    private struct Paths {
        private(set) var found: [String] = []
        private var known: Set<String> = []
        private static let deepest = 4
        private static let most = 200
        /// The number of elements of a list that are looked at.
        private static let elements = 20

        mutating func add(_ value: JSONValue, at path: String, depth: Int) {
            if depth > 0, found.count < Self.most, known.insert(path).inserted { found.append(path) }
            guard depth < Self.deepest else { return }
            for member in value.members { add(member.value, at: path + Self.step(to: member.name), depth: depth + 1) }
            for element in value.elements.prefix(Self.elements) { add(element, at: "\(path)[*]", depth: depth + 1) }
        }

        private static func step(to name: String) -> String {
            let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
            if isPlain, name.utf8.first?.isDigit == false { return ".\(name)" }
            return "['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
        }
    }
}

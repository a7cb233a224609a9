import CommandLineKit
import ReqcliJSONPath
import ReqcliText

/// The values that `--select` takes from a JSON body.
enum BodySelection {
    /// The form in which the nodes are printed. A string is printed without quotes, except in an array.
    enum Layout: Sendable, Equatable {
        /// One line for each node.
        case lines
        /// Each node as indented JSON.
        case indented
        /// All nodes in one JSON array.
        case array

        init(_ arguments: ParsedArguments) {
            self = arguments[SendOptions.json] ? .array : arguments[SendOptions.pretty] ? .indented : .lines
        }
    }

    enum Outcome {
        case selected([OrderedJSON])
        /// Nothing is selected; the text says what there is.
        case nothing(String)
        /// The body is not JSON; the message says where the error is.
        case notJSON(String)
        case tooMuchWork
    }

    /// - Parameter hasPlaces: Whether the places in these bytes are those in the body.
    static func select(_ path: JSONPath, from bytes: [UInt8], hasPlaces: Bool = true) -> Outcome {
        let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes))
        guard let root = document.validRoot else {
            let problem = document.problems.first
            let message = problem?.message ?? "it is empty"
            guard hasPlaces else { return .notJSON(message) }
            let position = document.file.position(of: problem?.range.lowerBound ?? 0)
            return .notJSON("\(message) (line \(position.line), column \(position.column))")
        }
        do throws(JSONPathLimit) {
            let nodes = try path.nodes(in: root)
            return nodes.isEmpty
                ? .nothing(content(of: path.lastNode(in: root))) : .selected(nodes.map { OrderedJSON($0) })
        } catch {
            return .tooMuchWork
        }
    }

    /// The names in an object, as a user needs them to mend a path.
    private static func content(of node: JSONValue) -> String {
        switch node.kind {
        case .object:
            let names = node.members.map(\.name)
            let more = names.count > 8 ? " and \(names.count - 8) more" : ""
            return names.isEmpty
                ? "the object there is empty" : "the object there has \(names.prefix(8).joined(separator: ", "))\(more)"
        case .array: return "the list there has \(counted(Array(node.elements).count, "item"))"
        default: return "the value there is neither an object nor a list"
        }
    }

    static func text(of nodes: [OrderedJSON], _ layout: Layout) -> String {
        switch layout {
        case .lines: nodes.map { $0.plainText + "\n" }.joined()
        case .indented: nodes.map { ($0.isString ? $0.plainText : $0.pretty) + "\n" }.joined()
        case .array: OrderedJSON.array(nodes).pretty + "\n"
        }
    }
}

extension OrderedJSON {
    fileprivate var isString: Bool { if case .string = self { true } else { false } }
}

extension ValueSpec where Value == JSONPath {
    static let jsonPath = ValueSpec(
        "JSONPATH", expected: "a JSONPath (RFC 9535)", completion: .responsePath, text: { $0.text }
    ) {
        (text) throws(InvalidValue) in
        do throws(JSONPathError) {
            return try JSONPath(text)
        } catch {
            let isSilence =
                text.contains("/") || text.hasPrefix("localhost:") || ["S", "SL", "SLO", "Lo"].contains(text)
            if isSilence {
                throw InvalidValue(
                    expected: "a JSONPath (RFC 9535)",
                    hint: "for curl's -s leave it out: in a pipe no progress is shown")
            }
            let problem = error.problems.first
            throw InvalidValue(
                expected: "a JSONPath (RFC 9535)",
                hint: problem.map { problem in
                    let character = text.utf8.prefix(problem.range.lowerBound).count + 1
                    return "\(problem.message) (at character \(character))" + (problem.hint.map { "; \($0)" } ?? "")
                })
        }
    }
}

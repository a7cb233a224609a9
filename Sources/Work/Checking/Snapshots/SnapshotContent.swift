import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A response in the form of a snapshot: secrets are masked, and a mark replaces each value that is matched or ignored.
struct SnapshotContent {
    /// The whole content, as the file has it.
    let root: JSONValue
    /// The values that are not compared.
    let ignored: [JSONValue]

    /// The reason why a response can't be kept, worded to follow "found".
    struct Problem: Error {
        let message: Wording
    }

    static let tooLarge = Problem(message: "a body that takes more than 16 MiB as indented JSON")

    /// Converts a response. Throws if the response can't be kept.
    ///
    /// - Parameter redactor: A redactor for the secrets of the call and of its response.
    init(
        _ response: ReceivedResponse, _ parts: CompiledSnapshot, _ redactor: Redactor, _ excerpts: Excerpts
    ) throws(Problem) {
        var text = Text()
        text.add("{\"status\":\(response.status)")
        let headers = Self.headers(response.headers, parts.headers, redactor)
        if !headers.isEmpty { text.add(",\"headers\":\(OrderedJSON.object(headers).compact)") }
        switch try Self.body(response, excerpts) {
        case .nothing: break
        case .text(let lines): text.add(lines: redactor.redact(lines))
        case .json(let root): try text.add(root, parts, redactor)
        }
        text.add("}")
        guard Self.indentedSize(of: text.bytes) <= Workspace.largestFile else { throw Self.tooLarge }
        let document = JSONDocument.read(SourceFile(name: "response", bytes: text.bytes))
        guard let root = document.validRoot else {
            throw Problem(
                message: document.problems.first.map { "a body that cannot be saved in a file: \($0.message)" } ?? "")
        }
        self.root = root
        let offsets = text.ignored
        ignored = offsets.isEmpty ? [] : root.descendants.filter { offsets.contains($0.range.lowerBound) }
    }

    /// The text of the file.
    var fileText: [UInt8] { Array((OrderedJSON(root).pretty + "\n").utf8) }

    /// The size of compact JSON after indenting it, with one line for each member and element. In deeply nested lists, indenting
    /// can turn one byte into a thousand.
    private static func indentedSize(of bytes: [UInt8]) -> Int {
        var size = bytes.count
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in bytes {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                size += 1 + 2 * depth
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                size += 1 + 2 * depth
            case UInt8(ascii: ","): size += 1 + 2 * depth
            default: break
            }
        }
        return size
    }

    // MARK: Parts

    private static func headers(
        _ fields: HeaderFields, _ names: [String], _ redactor: Redactor
    ) -> [OrderedJSON.Member] {
        names.compactMap { name in
            let values = fields.named(name).map { field -> OrderedJSON in
                .string(LikelySecret.isHeader(name) ? field.maskedValue : redactor.redact(field.value))
            }
            return values.isEmpty ? nil : OrderedJSON.Member(name, values.count == 1 ? values[0] : .array(values))
        }
    }

    private enum Body {
        case nothing
        case json(JSONValue)
        case text([UInt8])
    }

    private static func body(_ response: ReceivedResponse, _ excerpts: Excerpts) throws(Problem) -> Body {
        if response.body.size == 0 { return .nothing }
        let bytes: [UInt8]
        switch response.content {
        case .success(let content): bytes = content
        case .failure(.invalid): throw binary(response)
        case .failure(let problem): throw Problem(message: problem.phrase(excerpts))
        }
        if let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot {
            let type = response.headers["Content-Type"]?.lowercased() ?? "json"
            if root.kind == .object || root.kind == .array || type.contains("json") { return .json(root) }
        }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { throw binary(response) }
        return .text(bytes)
    }

    private static func binary(_ response: ReceivedResponse) -> Problem {
        Problem(message: "\(response.body.size) bytes that are not text, which no snapshot can keep")
    }

    // MARK: The text

    private struct Text {
        private(set) var bytes: [UInt8] = []
        /// The offsets at which the ignored values begin.
        private(set) var ignored: Set<Int> = []

        mutating func add(_ text: String) { bytes += text.utf8 }

        mutating func add(lines text: [UInt8]) {
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let list = OrderedJSON.array(lines.map { .string(String(decoding: $0, as: UTF8.self)) })
            add(",\"text\":\(list.compact)")
        }

        /// Adds the body with its marks. The body is already masked, but the paths are evaluated in the unmasked response,
        /// because a filter may compare a secret.
        mutating func add(
            _ root: JSONValue, _ parts: CompiledSnapshot, _ redactor: Redactor
        ) throws(Problem) {
            if let key = root.descendants.lazy.compactMap(\.repeatedKey).first {
                throw Problem(message: "the key \(redactor.redact(key.shortDescription)) more than once in an object")
            }
            let original = root.place.file.bytes
            let masked = redactor.masked(body: original).body
            let document =
                masked == original ? nil : JSONDocument.read(SourceFile(name: "body", bytes: masked))
            let shown = document?.root ?? root
            guard document?.problems.isEmpty ?? true else { return add(lines: masked) }
            var marks: [Int: String] = [:]
            for (mark, match) in zip(parts.marks, parts.match) {
                for node in try nodes(match.path, root) { marks[node] = mark }
            }
            for path in parts.ignored {
                for node in try nodes(path, root) { marks[node] = SnapshotMark.ofIgnored }
            }
            add(",\"body\":")
            add(shown, marks, original: root)
        }

        private func nodes(_ path: JSONPath, _ root: JSONValue) throws(Problem) -> [Int] {
            do throws(JSONPathLimit) {
                return try path.nodes(in: root).map(\.range.lowerBound)
            } catch {
                throw Problem(message: Wording(own: error.message))
            }
        }

        /// Adds the masked body, with marks in place of values. Masking does not change the structure of a body, so `shown` and
        /// `original` have the same values in the same order.
        private mutating func add(_ shown: JSONValue, _ marks: [Int: String], original: JSONValue) {
            let source = shown.place.file.bytes
            var done = shown.range.lowerBound
            if !marks.isEmpty {
                for (value, counterpart) in zip(shown.descendants, original.descendants) {
                    guard value.range.lowerBound >= done, let mark = marks[counterpart.range.lowerBound] else {
                        continue
                    }
                    bytes += source[done..<value.range.lowerBound]
                    if mark == SnapshotMark.ofIgnored { ignored.insert(bytes.count) }
                    bytes += JSONStringText.quoted(mark).utf8
                    done = value.range.upperBound
                }
            }
            bytes += source[done..<shown.range.upperBound]
        }
    }
}

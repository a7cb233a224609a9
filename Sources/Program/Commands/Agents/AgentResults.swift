import ReqcliBasics
import ReqcliJSONPath
import ReqcliText
import Shapes

/// The results of tools: their form, their largest size, and the large ones of late, which `read` gives in parts.
struct AgentResults {
    static let usualSize = 16 << 10
    static let smallestSize = 4 << 10
    private static let mostKept = 100
    private static let mostBytesKept = 64 << 20

    private let size: Int
    /// The start of the ids of calls, so that an id of an earlier server isn't taken for one of this server.
    private let prefix: String
    private var count = 0
    private var kept: [(id: String, text: String)] = []
    private var keptBytes = 0

    init(size: Int, prefix: String) { (self.size, self.prefix) = (size, prefix) }

    // MARK: Results

    /// A result: the value, or its shape and a `call` for `read` if it is too large.
    mutating func result(_ value: OrderedJSON, isError: Bool = false) -> OrderedJSON {
        let result = Self.form(value, isError: isError)
        return fits(result) ? result : outline(of: value, isError: isError)
    }

    static func problem(_ problem: ToolProblem) -> OrderedJSON { form(problem.json, isError: true) }

    private static func form(_ value: OrderedJSON, isError: Bool) -> OrderedJSON {
        .object([
            "content": [.object(["type": "text", "text": .string(value.compact)])], "structuredContent": value,
            "isError": .bool(isError),
        ])
    }

    /// The keys that the newest revision adds to a result take part of the size.
    private func fits(_ result: OrderedJSON) -> Bool { result.compact.utf8.count <= size - 256 }

    private mutating func outline(of value: OrderedJSON, isError: Bool) -> OrderedJSON {
        let text = value.compact
        let id = keep(text)
        func outlined(_ shape: OrderedJSON?) -> OrderedJSON {
            Self.form(
                .object([
                    "call": .string(id), "size": .int(text.utf8.count), "shape": shape,
                    "hint": "too large for one result: read parts with `read`, by \"select\" or \"offset\"",
                ]), isError: isError)
        }
        let shape = JSONDocument.read(SourceFile(name: "result", text: text)).validRoot.map { JSONShape(of: $0).schema }
        let whole = outlined(shape)
        return fits(whole) ? whole : outlined(nil)
    }

    private mutating func keep(_ text: String) -> String {
        count += 1
        let id = "\(prefix)-\(count)"
        kept.append((id, text))
        keptBytes += text.utf8.count
        while kept.count > Self.mostKept || keptBytes > Self.mostBytesKept && kept.count > 1 {
            keptBytes -= kept.removeFirst().text.utf8.count
        }
        return id
    }

    // MARK: Pages

    /// As many elements as fit, from an offset on. An element that is too large alone becomes its outline.
    mutating func page(_ elements: [OrderedJSON], from offset: Int, adding members: [OrderedJSON.Member]) -> OrderedJSON
    {
        guard offset <= elements.count else {
            return Self.problem(
                ToolProblem("the list has \(elements.count) entries", hint: "an offset is the \"next\" of a page"))
        }
        func page(to end: Int) -> OrderedJSON {
            var page: [OrderedJSON.Member] = [
                .init("entries", .array(Array(elements[offset..<end]))), .init("total", .int(elements.count)),
            ]
            if end < elements.count { page.append(.init("next", .int(end))) }
            return .object(page + members)
        }
        // The largest page that fits, by halves.
        var (low, high) = (offset, elements.count)
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(Self.form(page(to: middle), isError: false)) { low = middle } else { high = middle - 1 }
        }
        return result(page(to: low == offset ? min(offset + 1, elements.count) : low))
    }

    // MARK: Reading

    func read(_ id: String, select: String?, offset: Int?) -> OrderedJSON {
        do throws(ToolProblem) {
            guard let found = kept.first(where: { $0.id == id }) else {
                throw ToolProblem(
                    "no result \"\(TerminalText.harmless(id))\" is kept",
                    hint: "call the tool again; the last 100 large results are kept")
            }
            let text =
                try select.map { (path) throws(ToolProblem) in try Self.selected(path, in: found.text) } ?? found.text
            if offset == nil, let value = OrderedJSON(parsing: text) {
                let result = Self.form(.object(["value": value]), isError: false)
                if fits(result) { return result }
            }
            return try part(of: text, from: offset ?? 0)
        } catch {
            return Self.problem(error)
        }
    }

    /// The selected value; a list if the path can select several.
    private static func selected(_ text: String, in json: String) throws(ToolProblem) -> String {
        let path: JSONPath
        do throws(JSONPathError) { path = try JSONPath(text) } catch {
            throw ToolProblem("\"select\" is not a JSONPath: \(error.problems.first?.message ?? "")")
        }
        guard let root = JSONDocument.read(SourceFile(name: "result", text: json)).validRoot else {
            throw ToolProblem("the result is not JSON")
        }
        let nodes: [JSONValue]
        do throws(JSONPathLimit) { nodes = try path.nodes(in: root) } catch {
            throw ToolProblem("the path takes too long on this result", hint: "select with names and indexes")
        }
        if path.isSingular {
            guard let node = nodes.first else { throw ToolProblem("the path selects nothing") }
            return OrderedJSON(node).compact
        }
        return OrderedJSON.array(nodes.map { OrderedJSON($0) }).compact
    }

    /// As many characters of a text as fit, from a byte on.
    private func part(of text: String, from offset: Int) throws(ToolProblem) -> OrderedJSON {
        let bytes = Array(text.utf8)
        guard offset < bytes.count else {
            throw ToolProblem("the text has \(bytes.count) bytes", hint: "an offset is the \"next\" of a part")
        }
        func isStart(_ index: Int) -> Bool { index == bytes.count || bytes[index] & 0xC0 != 0x80 }
        let start = (0...offset).last(where: isStart) ?? 0
        var length = size
        while true {
            var end = min(start + length, bytes.count)
            while !isStart(end) { end -= 1 }
            let part = Self.form(
                .object([
                    "text": .string(String(decoding: bytes[start..<end], as: UTF8.self)), "offset": .int(start),
                    "next": end < bytes.count ? .int(end) : nil, "size": .int(bytes.count),
                ]), isError: false)
            // 64 bytes always fit, because the size has a lower limit.
            if fits(part) || length <= 64 { return part }
            length = length * 3 / 4
        }
    }
}

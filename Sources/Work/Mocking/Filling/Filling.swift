import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliJSONPath
import ReqcliText

/// Finds the values for the placeholders of a filled variant.
///
/// Filling runs no programs and reads no secrets, because any client that can send a request would see the result.
struct Filling {
    /// The endpoint and the variant.
    let name: String
    let request: IncomingRequest
    let reading: RequestReading
    let parameters: Set<String>
    /// The variables of the environment whose values depend on neither params nor secrets.
    let variables: [String: OrderedJSON]
    /// The number of this response of the variant, from 1.
    let count: Int
    let world: World

    /// The reason why a placeholder has no value.
    struct Unresolved: Error {
        let message: String
    }

    private enum Value {
        case value(OrderedJSON)
        /// A param or a part of the request that is missing.
        case absent
    }

    /// The place of a value in the response, for its random values. Without a seed, no place is kept.
    private struct Spot {
        let path: [String]?

        func member(_ name: @autoclosure () -> String) -> Spot { path.map { Spot(path: $0 + [name()]) } ?? self }
    }

    private var start: Spot { Spot(path: world.seed == nil ? nil : []) }

    // MARK: Texts

    /// A string with its placeholders filled in; nil if the string is a single placeholder without a value.
    func text(_ source: String, ofHeader name: String) throws(Unresolved) -> String? {
        try value(source, start.member("header \(name)"))?.plainText
    }

    /// Fills in text that is not a JSON string. Placeholders without a value are removed.
    func wholeText(_ source: String) throws(Unresolved) -> String { try wholeText(source, start) }

    private func wholeText(_ source: String, _ spot: Spot) throws(Unresolved) -> String {
        var result = ""
        var number = 0
        for piece in Self.pieces(of: source) {
            switch piece {
            case .literal(let text): result += text
            case .placeholder(let name):
                if case .value(let value) = try self.value(of: name, spot.member("\(number)")) {
                    result += value.plainText
                }
                number += 1
            }
        }
        return result
    }

    /// The value of a JSON string. If the string is a single placeholder, the result is the value of the placeholder with its
    /// type, or nil if there is no value.
    private func value(_ source: String, _ spot: Spot) throws(Unresolved) -> OrderedJSON? {
        let pieces = Self.pieces(of: source)
        if pieces.count == 1, case .placeholder(let name) = pieces[0] {
            if case .value(let value) = try value(of: name, spot) { return value }
            return nil
        }
        return .string(try wholeText(source, spot))
    }

    /// JSON with its strings filled in. Members and elements without a value are left out.
    func json(_ source: OrderedJSON) throws(Unresolved) -> OrderedJSON? { try json(source, start) }

    private func json(_ source: OrderedJSON, _ spot: Spot) throws(Unresolved) -> OrderedJSON? {
        switch source {
        case .string(let text): return try value(text, spot)
        case .array(let elements):
            var filled: [OrderedJSON] = []
            for (index, element) in elements.enumerated() {
                if let value = try json(element, spot.member("\(index)")) { filled.append(value) }
            }
            return .array(filled)
        case .object(let members):
            var filled: [OrderedJSON.Member] = []
            for member in members {
                if let value = try json(member.value, spot.member(member.name)) {
                    filled.append(OrderedJSON.Member(member.name, value))
                }
            }
            return .object(filled)
        case .null, .bool, .number: return source
        }
    }

    // MARK: Placeholders

    enum Piece: Equatable {
        case literal(String)
        case placeholder(String)
    }

    /// The literal parts and the placeholders of a text. In the text, `\{{` is a literal `{{`.
    static func pieces(of text: String) -> [Piece] {
        let bytes = Array(text.utf8)
        guard bytes.contains(.openBrace) else { return [.literal(text)] }
        return TemplateReader(bytes).compactMap { piece in
            switch piece {
            case .literal(let text): return .literal(text)
            case .placeholder(let content):
                let name = String(decoding: bytes[content], as: UTF8.self)
                if PlaceholderScanner(bytes, from: content.lowerBound).isComputed { return .placeholder(name) }
                return .placeholder(name.split(separator: " ").joined(separator: " "))
            case .unclosed: return nil
            }
        }
    }

    private func value(of name: String, _ spot: Spot) throws(Unresolved) -> Value {
        if let value = try computed(name, spot) { return value }
        switch name {
        case "request.method": return .value(.string(request.method))
        case "request.path": return .value(.string(request.path))
        case "request.body": return .value(.string(String(decoding: request.body, as: UTF8.self)))
        case "$count": return .value(.int(count))
        default: break
        }
        if let generated = Placeholder.Generated(rawValue: name) {
            return .value(world.value(of: generated, at: world.now, seeded: seededBytes(for: name, spot)))
        }
        if let path = Self.rest(of: name, after: "request.body.") { return try value(atPath: path) }
        if let item = Self.rest(of: name, after: "request.query.") {
            return request.query.first { $0.name == item }.map { .value(.string($0.value)) } ?? .absent
        }
        if let header = Self.rest(of: name, after: "request.header.") {
            return request.header(header).map { .value(.string($0)) } ?? .absent
        }
        if parameters.contains(name) { return reading.parameters[name].map { .value($0) } ?? .absent }
        if let value = variables[name] { return .value(value) }
        throw Unresolved(message: "{{\(name)}} has no value here")
    }

    /// The value of a placeholder with functions; nil for any other placeholder.
    private func computed(_ text: String, _ spot: Spot) throws(Unresolved) -> Value? {
        let pipeline: Pipeline?
        do throws(PipelineProblem) { pipeline = try Pipeline.read(text) { _ in .json } } catch {
            throw Unresolved(message: error.message)
        }
        guard let pipeline else { return nil }
        var inputs: Pipeline.Inputs = [:]
        for name in pipeline.names {
            if case .value(let value) = try value(of: name.text, spot.member("\(name.range.lowerBound)")) {
                inputs[name.range.lowerBound] = value
            }
        }
        var material: FunctionValue?
        if case .call(let call) = pipeline.source {
            switch call.function.name {
            case "$now": material = .time(Int(world.now * 1000))
            case "file": throw Unresolved(message: "a stub can't read files by a placeholder")
            default: material = .bytes(seededBytes(for: text, spot) ?? world.random())
            }
        }
        do throws(FunctionProblem) {
            return try pipeline.value(of: inputs, from: material).map { .value($0) } ?? .absent
        } catch {
            throw Unresolved(message: "{{\(pipeline.label)}}: \(error.message)")
        }
    }

    /// Random bytes for a placeholder, if there is a seed.
    private func seededBytes(for placeholder: String, _ spot: Spot) -> [UInt8]? {
        world.seed?.bytes(
            forResponse: [
                name, request.method, request.path, request.rawQuery ?? "",
                String(decoding: request.body, as: UTF8.self), placeholder,
            ] + (spot.path ?? []))
    }

    private static func rest(of text: String, after start: String) -> String? {
        text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil
    }

    private func value(atPath text: String) throws(Unresolved) -> Value {
        let path: JSONPath
        do { path = try JSONPath(text) } catch { throw Unresolved(message: "\(text) is not a JSONPath") }
        guard let root = reading.json ?? request.json else { return .absent }
        guard let nodes = try? path.nodes(in: root), nodes.count <= 1 else {
            throw Unresolved(message: "\(text) selects more than one value of the request's body")
        }
        return nodes.first.map { .value(OrderedJSON($0)) } ?? .absent
    }
}

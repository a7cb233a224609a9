import Assembly
import CommandLineKit
import Definitions
import Redaction
import RequestBuilding
package import SourceText

/// A request that was read by the pattern of its endpoint: the values of params, and everything in which it differs.
package struct RequestReading: Sendable {
    /// The values of the params, with their types; those that are invalid are missing.
    package fileprivate(set) var parameters: [String: OrderedJSON] = [:]
    /// The params whose values in the request are invalid, or missing although they are required.
    package fileprivate(set) var invalidParameters: Set<String> = []
    package fileprivate(set) var problems: [Problem] = []
    /// How many of the pattern's literals beside the path the request has.
    package fileprivate(set) var literalsMet = 0
    package fileprivate(set) var literalsMissed = 0
    /// The body as JSON, if the endpoint takes JSON and it is.
    package fileprivate(set) var json: JSONValue?

    /// One difference from what the endpoint describes.
    package struct Problem: Sendable {
        package let message: String
        /// The place in the endpoint's file.
        package let place: Place?
    }
}

extension RequestPattern {
    /// Reads a request whose path has these segments.
    func read(_ request: IncomingRequest, _ segments: [TextPattern], _ schemas: SchemaStore) -> RequestReading {
        var reader = Reader(pattern: self, schemas: schemas)
        // The route has compared the others.
        for (segment, text) in zip(segments, request.segments) where segment.literal == nil {
            reader.read(text, segment, allowsEmpty: false)
        }
        reader.readItems(query, request.query, kind: "query item")
        reader.readHeaders(request)
        reader.readBody(request)
        reader.finish(isCut: request.isCut)
        return reader.result
    }
}

private struct Reader {
    let pattern: RequestPattern
    let schemas: SchemaStore
    var result = RequestReading()
    /// The texts that the request has for each param.
    private var texts: [String: [String]] = [:]

    init(pattern: RequestPattern, schemas: SchemaStore) {
        self.pattern = pattern
        self.schemas = schemas
    }

    private var endpoint: LocatedEndpoint { pattern.endpoint }
    private var place: Place { endpoint.definition.place }

    private mutating func report(_ message: String, at place: Place? = nil) {
        result.problems.append(RequestReading.Problem(message: message, place: place ?? self.place))
    }

    // MARK: Texts

    /// Reads what stands in the gaps; false if the text differs elsewhere.
    @discardableResult
    mutating func read(_ text: String, _ pattern: TextPattern, allowsEmpty: Bool = true) -> Bool {
        if let gap = pattern.onlyGap { return (allowsEmpty || !text.isEmpty) && take(text, for: gap) }
        guard let values = pattern.values(in: text, allowsEmpty: allowsEmpty) else { return false }
        for (gap, value) in zip(pattern.gaps, values) where !take(value, for: gap) { return false }
        return true
    }

    private mutating func take(_ text: String, for gap: OpenValue) -> Bool {
        guard case .parameter(let name) = gap else { return true }
        guard let choice = pattern.choices[name] else {
            texts[name, default: []].append(text)
            return true
        }
        return take(choice) {
            $0.plainText == text ? [] : TextPattern($0.plainText).values(in: text, allowsEmpty: true)
        }
    }

    /// Finds the case of a `$switch` that gives a value, and with it the value of its param.
    private mutating func take(_ choice: RequestPattern.Choice, _ values: (OrderedJSON) -> [String]?) -> Bool {
        for one in choice.cases {
            guard let found = values(one.value) else { continue }
            if let parameter = choice.parameter, texts[parameter] == nil { texts[parameter] = [one.name] }
            for (gap, value) in zip(TextPattern(one.value.plainText).gaps, found) { _ = take(value, for: gap) }
            return true
        }
        guard let otherwise = choice.otherwise, let found = values(otherwise) else { return false }
        for (gap, value) in zip(TextPattern(otherwise.plainText).gaps, found) { _ = take(value, for: gap) }
        return true
    }

    // MARK: Items

    mutating func readItems(_ items: [RequestPattern.Item], _ fields: [IncomingRequest.Field], kind: String) {
        if items.isEmpty, fields.isEmpty { return }
        var values: [String: [String]] = [:]
        for field in fields { values[field.name, default: []].append(field.value) }
        for item in items {
            read(item, values.removeValue(forKey: item.name) ?? [], kind: kind)
        }
        var reported: Set<String> = []
        for field in fields where values[field.name] != nil && reported.insert(field.name).inserted {
            report("\(endpoint.id) has no \(kind) \(field.name.quoted)")
        }
    }

    private mutating func read(_ item: RequestPattern.Item, _ found: [String], kind: String) {
        // A list has any number of values.
        if item.values.count == 1, let gap = item.values[0].onlyGap, case .parameter(let name) = gap,
            endpoint.parameters[named: name]?.kind == .list
        {
            if !found.isEmpty { texts[name, default: []] += found }
            return
        }
        for (index, wanted) in item.values.enumerated() {
            let isLiteral = wanted.literal != nil || wanted.isChoice(in: pattern)
            guard index < found.count else {
                if isLiteral, !endpoint.mayLack(wanted.onlyGap, pattern.choices) {
                    result.literalsMissed += 1
                    report("the \(kind) \(item.name) is missing")
                }
                continue
            }
            let fits = read(found[index], wanted)
            if isLiteral { if fits { result.literalsMet += 1 } else { result.literalsMissed += 1 } }
            if !fits {
                let expected = wanted.literal.map { "; expected \($0.quoted)" } ?? ""
                report("the \(kind) \(item.name) is \(shown(found[index].quoted, of: item.name))\(expected)")
            }
        }
        if found.count > item.values.count { report("the \(kind) \(item.name) is there more than once") }
    }

    mutating func readHeaders(_ request: IncomingRequest) {
        for item in pattern.headers {
            let found = request.headers(named: item.name)
            if item.name.lowercased() == "authorization" {
                if found.isEmpty { report("there is no Authorization header") }
                continue
            }
            if found.isEmpty {
                let isOptional = item.values.allSatisfy { endpoint.mayLack($0.onlyGap, pattern.choices) }
                if !isOptional, !item.values.contains(where: \.hasParameter) {
                    report("the header \(item.name) is missing")
                }
                continue
            }
            for (text, wanted) in zip(found, item.values) where !read(text, wanted) {
                report("the header \(item.name) is not the one that \(endpoint.id) sets")
            }
        }
    }

    // MARK: Body

    mutating func readBody(_ request: IncomingRequest) {
        if case .none = pattern.body {
            if !request.body.isEmpty { report("\(endpoint.id) has no body") }
            return
        }
        let type = request.mediaType
        switch pattern.body {
        case .none: break
        case .json(let wanted), .graphQL(let wanted):
            guard type.map({ $0 == "application/json" || $0.hasSuffix("+json") }) ?? false else {
                report("the body is \(type ?? "of no type"); expected application/json")
                return
            }
            if request.isCut { return }
            let document = JSONDocument.read(SourceFile(name: "body", bytes: request.body))
            guard document.problems.isEmpty, let root = document.root else {
                report("the body is not JSON: \(document.problems.first?.message ?? "it is empty")")
                return
            }
            result.json = root
            if case .graphQL = pattern.body { readGraphQL(wanted, root) } else { read(root, wanted, path: "$") }
        case .form(let items):
            guard type == "application/x-www-form-urlencoded" else {
                report("the body is \(type ?? "of no type"); expected application/x-www-form-urlencoded")
                return
            }
            if request.isCut { return }
            readItems(items, IncomingRequest.fields(String(decoding: request.body, as: UTF8.self)), kind: "form field")
        case .text(let wanted):
            if !request.isCut, !read(String(decoding: request.body, as: UTF8.self), wanted) {
                report("the body differs from the one that \(endpoint.id) sends")
            }
        case .other(let expected):
            if let expected, type != expected { report("the body is \(type ?? "of no type"); expected \(expected)") }
        }
    }

    /// Of a GraphQL request the operation's name tells endpoints apart; documents may be written in many ways.
    private mutating func readGraphQL(_ wanted: OrderedJSON, _ found: JSONValue) {
        guard case .object(let members) = wanted else { return }
        for member in members where member.name != "query" {
            guard let value = found[member.name] else {
                if member.name == "operationName" { result.literalsMissed += 1 }
                continue
            }
            read(value, member.value, path: "$.\(member.name)")
        }
    }

    private mutating func read(_ found: JSONValue, _ wanted: OrderedJSON, path: String) {
        switch wanted {
        case .string(let text):
            let pattern = TextPattern(text)
            if let gap = pattern.onlyGap {
                readGap(found, gap, path: path)
            } else if pattern.literal == nil {
                if found.string.map({ read($0, pattern) }) != true {
                    report(
                        "\(path) is \(shown(found.shortDescription, of: path)), which is not like \(text.isEmpty ? "it" : "the endpoint's")"
                    )
                }
            } else {
                compare(found, wanted, path: path)
            }
        case .array(let elements):
            // A param that takes a list is one gap in a list.
            if elements.count == 1, case .string(let text) = elements[0], let gap = TextPattern(text).onlyGap,
                case .parameter(let name) = gap, endpoint.parameters[named: name]?.kind == .list
            {
                readGap(found, gap, path: path)
                return
            }
            guard found.kind == .array, found.count == elements.count else { return compare(found, wanted, path: path) }
            for (index, pair) in zip(found.elements, elements).enumerated() {
                read(pair.0, pair.1, path: "\(path)[\(index)]")
            }
        case .object(let members):
            guard found.kind == .object else { return compare(found, wanted, path: path) }
            for member in members {
                let inner = "\(path).\(member.name)"
                if let value = found[member.name] {
                    read(value, member.value, path: inner)
                } else if !mayLack(member.value) {
                    if !member.value.hasOpenValues { result.literalsMissed += 1 }
                    if !member.value.isOpenParameter { report("\(inner) is missing") }
                }
            }
            let known = Set(members.map(\.name))
            for member in found.members where !known.contains(member.name) {
                report("\(endpoint.id) has no \(path).\(member.name)")
            }
        case .null, .bool, .number: compare(found, wanted, path: path)
        }
    }

    private func mayLack(_ wanted: OrderedJSON) -> Bool {
        guard case .string(let text) = wanted else { return false }
        return endpoint.mayLack(TextPattern(text).onlyGap, pattern.choices)
    }

    private mutating func readGap(_ found: JSONValue, _ gap: OpenValue, path: String) {
        guard case .parameter(let name) = gap else { return }
        guard let choice = pattern.choices[name] else {
            guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else { return }
            take(
                name, at: parameter.namePlace,
                Result { () throws(Failure) in
                    try parameter.value.value(sentAs: OrderedJSON(found), named: name, schemas)
                })
            return
        }
        let value = OrderedJSON(found)
        let fits = take(choice) { one in
            if one.isEquivalent(to: value) { return [] }
            guard case .string(let text) = one, let string = found.string else { return nil }
            return TextPattern(text).values(in: string, allowsEmpty: true)
        }
        if fits {
            result.literalsMet += 1
        } else {
            report("\(path) is \(shown(found.shortDescription, of: path)), which no case of its $switch gives")
        }
    }

    /// A value in a message, unless its name says that it is secret.
    private func shown(_ value: String, of path: String) -> String {
        let name = path.split(separator: ".").last.map(String.init) ?? path
        return LikelySecret.isName(name) ? "***" : value
    }

    private mutating func compare(_ found: JSONValue, _ wanted: OrderedJSON, path: String) {
        if OrderedJSON(found).isEquivalent(to: wanted) {
            result.literalsMet += 1
        } else {
            result.literalsMissed += 1
            report("\(path) is \(shown(found.shortDescription, of: path)); expected \(wanted.shortDescription)")
        }
    }

    // MARK: Params

    private mutating func take(_ name: String, at place: Place, _ value: Result<OrderedJSON, Failure>) {
        switch value {
        case .success(let value): result.parameters[name] = value
        case .failure(let problem):
            result.invalidParameters.insert(name)
            // The message has the value.
            if LikelySecret.isName(name) || endpoint.parameters[named: name]?.isSecret == true {
                return report("\(name) has a value that it does not take", at: place)
            }
            for diagnostic in problem.diagnostics { report(diagnostic.message, at: place) }
        }
    }

    /// Gives the texts their params' types, and reports params that are missing.
    ///
    /// - Parameter isCut: Whether the body was not read: then params that may stand in it are not missing.
    mutating func finish(isCut: Bool) {
        let parameters = endpoint.parameters
        let unread = isCut ? pattern.bodyParameters : []
        // A loop over the elements would copy them.
        for index in parameters.indices {
            let name = parameters[index].name
            if let found = texts[name] {
                take(
                    name, at: parameters[index].namePlace,
                    Result { () throws(Failure) in
                        try parameters[index].value.value(sentAs: found, named: name, schemas)
                    })
            } else if result.parameters[name] == nil, !result.invalidParameters.contains(name),
                pattern.parameters.contains(name), !unread.contains(name)
            {
                if let value = parameters[index].value.defaultValue?.value {
                    // Left out by a client that knows the default.
                    if !parameters[index].value.isRequired { result.parameters[name] = value }
                } else if parameters[index].value.isRequired {
                    result.invalidParameters.insert(name)
                    report("\(name) is missing", at: parameters[index].namePlace)
                }
            }
        }
    }
}

extension TextPattern {
    /// Whether it is a `$switch` and nothing else.
    fileprivate func isChoice(in pattern: RequestPattern) -> Bool {
        guard case .parameter(let name)? = onlyGap else { return false }
        return pattern.choices[name] != nil
    }
}

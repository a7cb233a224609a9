import Assembly
import CommandLineKit
import Definitions
import Redaction
import RequestBuilding
package import SourceText

/// A request that was read by the pattern of its endpoint: the values of params, and everything in which it differs.
///
/// A class, since the engine copies it from function to function.
package final class RequestReading: Sendable {
    /// The values of the params, with their types; those that are invalid are missing.
    package let parameters: ParameterValues
    /// The params whose values in the request are invalid, or missing although they are required.
    package let invalidParameters: Set<String>
    package let problems: [Problem]
    /// How many of the pattern's literals beside the path the request has.
    package let literalsMet: Int
    package let literalsMissed: Int
    /// The body as JSON, if the endpoint takes JSON and it is.
    package let json: JSONValue?
    /// What is secret in the request; nil if its endpoint has no secrets.
    package let secrets: RequestSecrets?

    /// The reading of a request whose endpoint isn't known.
    static let nothing = RequestReading(ParameterValues(), [], [], met: 0, missed: 0, nil)

    init(
        _ parameters: ParameterValues, _ invalidParameters: Set<String>, _ problems: [Problem], met: Int, missed: Int,
        _ json: JSONValue?, _ secrets: RequestSecrets? = nil
    ) {
        self.parameters = parameters
        self.invalidParameters = invalidParameters
        self.problems = problems
        literalsMet = met
        literalsMissed = missed
        self.json = json
        self.secrets = secrets
    }

    /// The reading with messages that have none of the request's secrets.
    fileprivate func hiding(_ secrets: RequestSecrets) -> RequestReading {
        let problems = problems.map { Problem(message: secrets.masking($0.message), place: $0.place) }
        return RequestReading(
            parameters, invalidParameters, problems, met: literalsMet, missed: literalsMissed, json, secrets)
    }

    /// One difference from what the endpoint describes.
    package struct Problem: Sendable {
        package let message: String
        /// The place in the endpoint's file.
        package let place: Place?
    }
}

extension RequestPattern {
    /// Reads a request whose path has the segments of a route.
    func read(_ request: IncomingRequest, _ route: RouteTree.Route, _ schemas: SchemaStore) -> RequestReading {
        let plain = route.plain.value ?? route.plain.keep(PlainRoute(self, route))
        if let reading = plain.reading(of: request, schemas) { return reading }
        var reader = Reader(pattern: self, schemas: schemas)
        // The route has compared the others.
        for (segment, text) in zip(route.segments, request.segments) where segment.literal == nil {
            reader.read(text, segment, allowsEmpty: false)
        }
        reader.readItems(query, request.query, kind: "query item")
        reader.readHeaders(request)
        reader.readBody(request)
        let reading = reader.finish(isCut: request.isCut)
        if secretFields == nil { return reading }
        var secrets = SecretCollector(request)
        secrets.read(self, route.segments, reading)
        return secrets.secrets.map(reading.hiding) ?? reading
    }
}

private struct Reader {
    let pattern: RequestPattern
    let schemas: SchemaStore
    private var parameters = ParameterValues()
    private var invalidParameters: Set<String> = []
    private var problems: [RequestReading.Problem] = []
    private var literalsMet = 0
    private var literalsMissed = 0
    private var json: JSONValue?
    /// The texts that the request has for each param.
    private var texts: [(name: String, values: [String])] = []

    init(pattern: RequestPattern, schemas: SchemaStore) {
        self.pattern = pattern
        self.schemas = schemas
    }

    private var endpoint: LocatedEndpoint { pattern.endpoint }
    private var place: Place { endpoint.definition.place }

    private mutating func report(_ message: String, at place: Place? = nil) {
        problems.append(RequestReading.Problem(message: message, place: place ?? self.place))
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
            add([text], for: name)
            return true
        }
        return take(choice) {
            $0.plainText == text ? [] : TextPattern($0.plainText).values(in: text, allowsEmpty: true)
        }
    }

    private func texts(of name: String) -> [String]? { texts.first { $0.name == name }?.values }

    private mutating func add(_ values: [String], for name: String) {
        if let index = texts.firstIndex(where: { $0.name == name }) {
            texts[index].values += values
        } else {
            texts.append((name, values))
        }
    }

    /// Finds the case of a `$switch` that gives a value, and with it the value of its param.
    private mutating func take(_ choice: RequestPattern.Choice, _ values: (OrderedJSON) -> [String]?) -> Bool {
        for one in choice.cases {
            guard let found = values(one.value) else { continue }
            if let parameter = choice.parameter, texts(of: parameter) == nil { add([one.name], for: parameter) }
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
            if !found.isEmpty { add(found, for: name) }
            return
        }
        for (index, wanted) in item.values.enumerated() {
            let isLiteral = wanted.literal != nil || wanted.isChoice(in: pattern)
            guard index < found.count else {
                if isLiteral, !endpoint.mayLack(wanted.onlyGap, pattern.choices) {
                    literalsMissed += 1
                    report("the \(kind) \(item.name) is missing")
                }
                continue
            }
            let fits = read(found[index], wanted)
            if isLiteral { if fits { literalsMet += 1 } else { literalsMissed += 1 } }
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
            guard !request.content.isEmpty else {
                report("the body is empty; expected JSON")
                return
            }
            let document = JSONDocument.read(SourceFile(name: "body", bytes: request.content))
            guard document.problems.isEmpty, let root = document.root else {
                // Messages about the encoding are about files.
                let problem = document.problems.first.flatMap { $0.code == .jsonEncoding ? nil : $0.message }
                report("the body is not JSON: \(problem ?? "it is not UTF-8 without a byte order mark")")
                return
            }
            json = root
            if case .graphQL = pattern.body { readGraphQL(wanted, root) } else { read(root, wanted, path: "$") }
        case .form(let items):
            guard type == "application/x-www-form-urlencoded" else {
                report("the body is \(type ?? "of no type"); expected application/x-www-form-urlencoded")
                return
            }
            if request.isCut { return }
            readItems(
                items, IncomingRequest.fields(String(decoding: request.content, as: UTF8.self)), kind: "form field")
        case .text(let wanted):
            if !request.isCut, !read(String(decoding: request.content, as: UTF8.self), wanted) {
                report("the body differs from the one that \(endpoint.id) sends")
            }
        case .other(let expected):
            if let expected, type != expected { report("the body is \(type ?? "of no type"); expected \(expected)") }
        }
    }

    /// Of a GraphQL request the operation's name tells endpoints apart; documents may be written in many ways.
    private mutating func readGraphQL(_ wanted: OrderedJSON, _ found: JSONValue) {
        guard case .object(let members) = wanted else { return }
        guard found.kind == .object else {
            literalsMissed += 1
            return report("the body is \(found.shortDescription); expected an object with \"query\"")
        }
        readOperation(members, found)
        for member in members where member.name != "query" && member.name != "operationName" {
            if let value = found[member.name] { read(value, member.value, path: "$.\(member.name)") }
        }
    }

    private mutating func readOperation(_ wanted: [OrderedJSON.Member], _ found: JSONValue) {
        func text(_ name: String) -> String? { wanted.first { $0.name == name }?.value.plainText }
        // A persisted query is sent by its hash.
        if found["query"]?.string == nil, found["extensions"] == nil { report("$.query is missing") }
        let name = text("operationName") ?? GraphQLOperations(text("query") ?? "").onlyName
        guard let name, TextPattern(name).literal != nil else { return }
        let foundName =
            found["operationName"]?.string ?? found["query"]?.string.flatMap { GraphQLOperations($0).onlyName }
        if foundName == name {
            literalsMet += 1
        } else {
            literalsMissed += 1
            report("the operation is \(foundName?.quoted ?? "not named"); expected \(name.quoted)")
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
                    if !member.value.hasOpenValues { literalsMissed += 1 }
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
            take(name, at: parameter.namePlace) { [schemas] () throws(Failure) in
                try parameter.value.value(sentAs: OrderedJSON(found), named: name, schemas)
            }
            return
        }
        let value = OrderedJSON(found)
        let fits = take(choice) { one in
            if one.isEquivalent(to: value) { return [] }
            guard case .string(let text) = one, let string = found.string else { return nil }
            return TextPattern(text).values(in: string, allowsEmpty: true)
        }
        if fits {
            literalsMet += 1
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
            literalsMet += 1
        } else {
            literalsMissed += 1
            if found.kind == .array, case .array(let elements) = wanted {
                let count = found.count
                report("\(path) has \(count) \(count == 1 ? "element" : "elements"); expected \(elements.count)")
            } else {
                report("\(path) is \(shown(found.shortDescription, of: path)); expected \(wanted.shortDescription)")
            }
        }
    }

    // MARK: Params

    private mutating func take(
        _ name: String, at place: @autoclosure () -> Place, _ value: () throws(Failure) -> OrderedJSON
    ) {
        do throws(Failure) {
            parameters.set(name, try value())
        } catch {
            invalidParameters.insert(name)
            // The message has the value.
            if LikelySecret.isName(name) || endpoint.parameters[named: name]?.isSecret == true {
                return report("\(name) has a value that it does not take", at: place())
            }
            for diagnostic in error.diagnostics { report(diagnostic.message, at: place()) }
        }
    }

    /// Gives the texts their params' types, and reports params that are missing.
    ///
    /// - Parameter isCut: Whether the body was not read: then params that may stand in it are not missing.
    mutating func finish(isCut: Bool) -> RequestReading {
        let declared = endpoint.parameters
        let unread = isCut ? pattern.bodyParameters : []
        // A loop over the elements would copy them.
        for index in declared.indices {
            let name = declared[index].name
            if let found = texts(of: name) {
                take(name, at: declared[index].namePlace) { [schemas] () throws(Failure) in
                    try declared[index].value.value(sentAs: found, named: name, schemas)
                }
            } else if parameters[name] == nil, !invalidParameters.contains(name), pattern.parameters.contains(name),
                !unread.contains(name)
            {
                if let value = declared[index].value.defaultValue?.value {
                    // Left out by a client that knows the default.
                    if !declared[index].value.isRequired { parameters.set(name, value) }
                } else if declared[index].value.isRequired {
                    invalidParameters.insert(name)
                    report("\(name) is missing", at: declared[index].namePlace)
                }
            }
        }
        return RequestReading(
            parameters, invalidParameters, problems, met: literalsMet, missed: literalsMissed, json)
    }
}

extension TextPattern {
    /// Whether it is a `$switch` and nothing else.
    fileprivate func isChoice(in pattern: RequestPattern) -> Bool {
        guard case .parameter(let name)? = onlyGap else { return false }
        return pattern.choices[name] != nil
    }
}

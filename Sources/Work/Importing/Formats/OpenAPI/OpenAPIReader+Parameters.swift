import ReqcliBasics
import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliRedaction
import ReqcliText
import RequestBuilding

extension OpenAPIReader {
    /// Headers that are not params, because they follow from the body, the credentials or the responses.
    private static let headersSaidElsewhere: Set<String> = ["accept", "content-type"]

    /// Adds the params of path, query, headers and cookies.
    mutating func addParameters(
        of operation: OpenAPIOperation, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        addPath(of: operation, to: &request, &draft)
        var query = OpenAPIQuery()
        for parameter in operation.parameters {
            switch parameter.location {
            case .query: add(queryParameter: parameter, to: &query, &draft)
            case .header where parameter.name.lowercased() == "authorization" && hasSecurity(operation): break
            case .header: addHeader(parameter, to: &request, &draft)
            case .cookie: addCookie(parameter, &draft)
            case .querystring: addWholeQuery(parameter, to: &query, &draft)
            case .path, .form: break
            }
        }
        request.addHeaders(draft.cookies)
        let fixed = Self.fixedQuery(of: operation.path)
        request.query = query.whole.map { .text($0) } ?? .items(fixed.filter { !query.has($0.name) } + query.items)
    }

    // MARK: Path

    private mutating func addPath(
        of operation: OpenAPIOperation, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        var declared: [String: OpenAPIParameter] = [:]
        for parameter in operation.parameters where parameter.location == .path { declared[parameter.name] = parameter }
        var names: [String: String] = [:]
        var path = ""
        var rest = operation.path.prefix { $0 != "?" && $0 != "#" }[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            path += PercentEncoding.path(String(rest[..<open]))
            let word = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            // Some frameworks write a pattern into the braces: `{id:[0-9]+}`, `{proxy+}`.
            let plain = String(word.prefix { $0 != ":" && $0 != "+" && $0 != "*" })
            let name = declared[word] != nil || plain.isEmpty ? word : plain
            let param = names[name] ?? addPathParam(name, declared[name], operation, &draft)
            names[name] = param
            path += Self.prefix(of: declared[name]) + "{{\(param)}}"
        }
        request.path = path + PercentEncoding.path(String(rest))
        if !request.path.hasPrefix("/") { request.path = "/" + request.path }
        for (name, parameter) in declared.sorted(by: { $0.key < $1.key }) where names[name] == nil {
            note(.lost, "a path parameter isn't in the path", name, at: parameter.place)
        }
        if operation.path.contains("#") {
            note(.lost, "the part of a path after \"#\" is never sent", operation.pointer, at: operation.place)
        }
    }

    private mutating func addPathParam(
        _ name: String, _ parameter: OpenAPIParameter?, _ operation: OpenAPIOperation, _ draft: inout OperationDraft
    ) -> String {
        guard let parameter else {
            note(.approximated, "a path parameter isn't declared: it becomes a string", name, at: operation.place)
            return draft.add(ImportedParam(name, example: "example"), from: "path")
        }
        let shape = document.shape(of: parameter.schema)
        var type = paramType(of: parameter.schema, shape, in: .text, title: name)
        if type.kind == .json {
            note(
                .approximated, "an object in a path or a header becomes a string, which is sent unchanged", name,
                at: parameter.place)
            type = ParamType(.string)
        }
        if type.kind == .list, parameter.style == .label, parameter.isExploded { type.join = "." }
        return add(parameter, type, shape, isRequired: true, to: &draft)
    }

    private static func prefix(of parameter: OpenAPIParameter?) -> String {
        switch parameter?.style {
        case .label: "."
        case .matrix: ";\(PercentEncoding.segment(parameter?.name ?? ""))="
        default: ""
        }
    }

    /// The query items after a `?` in the path. Valid descriptions have no `?` in a path.
    private static func fixedQuery(of path: String) -> [OrderedJSON.Member] {
        guard let mark = path.firstIndex(of: "?") else { return [] }
        let text = path[path.index(after: mark)...].prefix { $0 != "#" }
        let items = QueryItem.items(of: TemplateText(literal: String(text)), .decoded).filter { !$0.name.isEmpty }
        return items.areSayable ? items.members : []
    }

    // MARK: Query

    private mutating func add(
        queryParameter parameter: OpenAPIParameter, to query: inout OpenAPIQuery, _ draft: inout OperationDraft
    ) {
        let shape = document.shape(of: parameter.schema)
        if parameter.mediaType != nil {
            addContent(parameter, shape, to: &query, &draft)
        } else if parameter.style == .deepObject {
            addMembers(of: parameter, shape, to: &query, &draft) { "\(parameter.name)[\($0)]" }
        } else if shape.type == "object", !shape.properties.isEmpty, parameter.style == .form, parameter.isExploded {
            addMembers(of: parameter, shape, to: &query, &draft) { $0 }
        } else {
            var type = paramType(of: parameter.schema, shape, in: .text, title: parameter.name)
            if type.kind == .json {
                note(
                    .approximated, "an object in a query becomes a string, which is sent unchanged", parameter.name,
                    at: parameter.place)
                type = ParamType(.string)
            }
            if type.kind == .list { type.join = Self.separator(of: parameter) }
            let name = add(parameter, type, shape, isRequired: parameter.isRequired, to: &draft)
            query.add(parameter.name, "{{\(name)}}")
        }
    }

    /// The separator between the items of a list; nil if each item repeats the name.
    private static func separator(of parameter: OpenAPIParameter) -> String? {
        if parameter.isExploded { return nil }
        switch parameter.style {
        case .spaceDelimited: return " "
        case .pipeDelimited: return "|"
        case .tabDelimited: return "\t"
        default: return ","
        }
    }

    /// Adds a query item whose value is JSON.
    private mutating func addContent(
        _ parameter: OpenAPIParameter, _ shape: SchemaShape, to query: inout OpenAPIQuery, _ draft: inout OperationDraft
    ) {
        let isList = shape.type == "array"
        let type =
            isList ? ParamType(.string) : paramType(of: parameter.schema, shape, in: .json, title: parameter.name)
        if isList {
            note(
                .approximated, "a list of JSON in a query becomes a string, which is sent unchanged", parameter.name,
                at: parameter.place)
        }
        let name = add(parameter, type, shape, isRequired: parameter.isRequired, to: &draft)
        query.add(parameter.name, "{{\(name)}}")
    }

    /// Adds a param for each member of an object. `wireName` gives the name of the query item from the name of the member.
    private mutating func addMembers(
        of parameter: OpenAPIParameter, _ shape: SchemaShape, to query: inout OpenAPIQuery,
        _ draft: inout OperationDraft, wireName: (String) -> String
    ) {
        var shape = shape
        if shape.properties.isEmpty, let branch = objectAmongAlternatives(of: shape) {
            note(
                .approximated, "a query parameter allows several kinds of values: only the object is used",
                parameter.name,
                at: parameter.place)
            shape = branch
        }
        if shape.type == "array" || shape.properties.isEmpty {
            var type = paramType(of: parameter.schema, shape, in: .text, title: parameter.name)
            let isList = type.kind == .list
            if type.kind == .json { type = ParamType(.string) }
            note(
                .approximated, "the style deepObject is not defined for a value that is not an object", parameter.name,
                at: parameter.place)
            let name = add(parameter, type, shape, isRequired: parameter.isRequired, to: &draft)
            query.add(isList ? "\(parameter.name)[]" : parameter.name, "{{\(name)}}")
            return
        }
        for property in shape.properties {
            let inner = document.shape(of: property.value)
            if inner.isReadOnly { continue }
            let wire = wireName(property.name)
            var type = paramType(of: property.value, inner, in: .text, title: wire)
            if type.kind == .json {
                note(
                    .approximated, "an object inside an object in a query is sent as JSON text", wire,
                    at: parameter.place)
            }
            let isList = type.kind == .list
            if type.kind == .file { type = ParamType(.string) }
            let isRequired = parameter.isRequired && shape.required.contains(property.name)
            let name = draft.add(
                param(
                    wire, type, property.value, inner, isRequired: isRequired,
                    isSecret: LikelySecret.isName(property.name),
                    examples: [Self.member(property.name, of: parameter.examples)].compactMap(\.self),
                    takesDefault: isRequired), from: "query")
            query.add(isList && parameter.style == .deepObject ? wire + "[]" : wire, "{{\(name)}}")
        }
    }

    /// The most useful alternative: an object with members.
    private mutating func objectAmongAlternatives(of shape: SchemaShape) -> SchemaShape? {
        for alternative in shape.alternatives.prefix(20) {
            let branch = document.shape(of: alternative)
            if branch.type == "object", !branch.properties.isEmpty { return branch }
        }
        return nil
    }

    private static func member(_ name: String, of examples: [OpenAPIExample]) -> JSONValue? {
        examples.lazy.compactMap { $0.value?[name] }.first
    }

    /// Adds a query that is described as a single value, as OpenAPI 3.2 allows.
    private mutating func addWholeQuery(
        _ parameter: OpenAPIParameter, to query: inout OpenAPIQuery, _ draft: inout OperationDraft
    ) {
        let shape = document.shape(of: parameter.schema)
        if parameter.mediaType == "application/x-www-form-urlencoded", !shape.properties.isEmpty {
            addMembers(of: parameter, shape, to: &query, &draft) { $0 }
            return
        }
        note(
            .approximated, "a whole query of another media type becomes one string", parameter.name, at: parameter.place
        )
        let name = add(parameter, ParamType(.string), shape, isRequired: parameter.isRequired, to: &draft)
        query.whole = "{{\(name)}}"
    }

    // MARK: Headers and cookies

    /// Whether the description states the credentials of an operation. If it doesn't, as descriptions made by FastAPI, a
    /// parameter for the header Authorization is all there is.
    private func hasSecurity(_ operation: OpenAPIOperation) -> Bool {
        (operation.security ?? document.root["security"])?.elements.contains { $0.count > 0 } ?? false
    }

    private mutating func addHeader(
        _ parameter: OpenAPIParameter, to request: inout ImportedRequest, _ draft: inout OperationDraft
    ) {
        if Self.headersSaidElsewhere.contains(parameter.name.lowercased()) { return }
        guard !parameter.name.isEmpty, parameter.name.utf8.allSatisfy(\.isTokenByte) else {
            return note(.lost, "a header has an invalid name", parameter.name, at: parameter.place)
        }
        guard draft.headerNames.insert(parameter.name.lowercased()).inserted else { return }
        let shape = document.shape(of: parameter.schema)
        var type = paramType(of: parameter.schema, shape, in: .text, title: parameter.name)
        if type.kind == .json, parameter.mediaType == nil {
            note(
                .approximated, "an object in a path or a header becomes a string, which is sent unchanged",
                parameter.name,
                at: parameter.place)
            type = ParamType(.string)
        }
        if type.kind == .list { type.join = "," }
        let name = add(parameter, type, shape, isRequired: parameter.isRequired, to: &draft)
        request.headers.append(OrderedJSON.Member(parameter.name, .string("{{\(name)}}")))
    }

    private mutating func addCookie(_ parameter: OpenAPIParameter, _ draft: inout OperationDraft) {
        guard parameter.isRequired, !parameter.name.isEmpty, parameter.name.utf8.allSatisfy(\.isTokenByte) else {
            return note(.lost, "optional cookies are not converted", parameter.name, at: parameter.place)
        }
        let shape = document.shape(of: parameter.schema)
        var type = paramType(of: parameter.schema, shape, in: .text, title: parameter.name)
        if type.kind == .json { type = ParamType(.string) }
        let name = add(parameter, type, shape, isRequired: true, to: &draft)
        draft.cookies.append(OrderedJSON.Member("Cookie", .string("\(parameter.name)={{\(name)}}")))
    }

    private mutating func add(
        _ parameter: OpenAPIParameter, _ type: ParamType, _ shape: SchemaShape, isRequired: Bool,
        to draft: inout OperationDraft
    ) -> String {
        noteExternal(parameter.examples)
        let isSecret =
            parameter.location == .cookie
            ? LikelySecret.mayBeName(parameter.name) : LikelySecret.isName(parameter.name)
        var type = type
        if type.kind == .file { type = ParamType(.string) }
        return draft.add(
            param(
                parameter.name, type, parameter.schema, shape, isRequired: isRequired, isSecret: isSecret,
                isDeprecated: parameter.isDeprecated, description: parameter.description,
                examples: parameter.examples.compactMap(\.value),
                takesDefault: true), from: parameter.location.rawValue)
    }

    mutating func noteExternal(_ examples: [OpenAPIExample]) {
        for example in examples where example.value == nil {
            note(.lost, "an external example is not read", example.name, at: example.place)
        }
    }
}

/// The items of a query, each name once.
private struct OpenAPIQuery {
    private(set) var items: [OrderedJSON.Member] = []
    private var names: Set<String> = []
    var whole: String?

    func has(_ name: String) -> Bool { names.contains(name) }

    mutating func add(_ name: String, _ value: String) { add(name, .string(value)) }

    mutating func add(_ name: String, _ value: OrderedJSON) {
        let name = TextTemplate.escaped(name)
        if names.insert(name).inserted { items.append(OrderedJSON.Member(name, value)) }
    }
}

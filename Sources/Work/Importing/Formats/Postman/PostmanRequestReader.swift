import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// Makes an endpoint's request of a request of a collection.
struct PostmanRequestReader {
    var request: ImportedRequest
    var variables: PostmanVariables
    var notes: [ConversionNote] = []
    let source: CollectionRequest
    let options: ImportOptions
    /// The names of variables whose values are JSON in the body.
    var bareNames: Set<String> = []
    var expect = ExpectDraft()
    /// The names of params for path segments and for files.
    var paramNames = ParamNames()
    /// The disabled parts, which are added when all names of the request are known.
    private var optional: [Optional] = []

    /// A part of a request that is only sent if the caller gives a value for this part.
    private struct Optional {
        enum Part {
            case query, header, form, multipart
        }

        let part: Part
        let item: CollectionRequest.Item
    }

    /// - Parameter keepsBodies: Whether a body is sent with every method.
    init(
        _ source: CollectionRequest, _ variables: PostmanVariables, _ options: ImportOptions, keepsBodies: Bool = false
    ) {
        self.source = source
        self.variables = variables
        self.options = options
        request = ImportedRequest(at: source.place, method: source.method)
        request.name = source.name
        request.description = source.description
        readURL()
        readHeaders()
        if !request.method.isToken || request.method == "CONNECT" {
            notes.append(ConversionNote(.lost, "a method is invalid: GET is used instead", at: source.methodPlace))
            request.method = "GET"
        }
        guard let body = source.body else { return }
        if keepsBodies || !Self.methodsWithoutBody.contains(request.method) {
            readBody(body)
        } else if body.hasContent {
            notes.append(
                ConversionNote(.remark, "Postman sends no body with this method", request.method, at: body.place))
        }
    }

    /// Methods with which Postman sends no body, unless the collection asks for a body.
    private static let methodsWithoutBody: Set = ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"]

    // MARK: URL

    private mutating func readURL() {
        var url = URLText(variables.template(source.url))
        request.base = url.base?.text
        readPath(url.path)
        if let query = source.query {
            var items: [TemplateText] = []
            for item in query {
                if item.isDisabled {
                    if item.name.isEmpty || item.name.contains("{{") {
                        noteLost(item.place, "a disabled query item has no usable name")
                    } else {
                        optional.append(Optional(part: .query, item: item))
                    }
                } else if !item.name.isEmpty || item.value != nil {
                    let sides = [item.name, item.value].compactMap(\.self).map { variables.template($0) }
                    items.append(sides.joined(by: "="))
                }
            }
            url.query = items.isEmpty ? nil : items.joined(by: "&")
        }
        if let query = url.query { request.query = ImportedQuery(query, isExact: options.isExact) }
        if let account = url.credentials { request.auth = .account(account.user, account.password) }
    }

    /// Converts the path. A segment such as `:id` becomes a param, or the value that the source has for this segment.
    private mutating func readPath(_ path: TemplateText) {
        let declared = Dictionary(source.pathValues.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        let segments = path.split(by: .slash).map { segment -> TemplateText in
            guard let text = segment.literal, text.hasPrefix(":"), text.utf8.count > 1 else { return segment }
            let key = String(text.dropFirst())
            let value = declared[key]?.value ?? ""
            let template = variables.template(value)
            if !template.placeholders.isEmpty {
                return template.mappingLiterals { PercentEncoding.segment($0) }
            }
            let name = paramNames.take(key)
            request.params.append(
                ImportedParam(
                    name, description: declared[key]?.description, example: value.isEmpty ? nil : .typed(value)))
            return TemplateText([.placeholder(name)])
        }
        request.path = segments.joined(by: "/").text
    }

    // MARK: Headers

    private mutating func readHeaders() {
        var headers: [(name: String, value: OrderedJSON)] = []
        for item in source.headers {
            let name = item.name.trimmed
            if name.isEmpty { continue }
            if !item.isDisabled {
                add(name, item, &headers)
            } else if name.isToken {
                optional.append(Optional(part: .header, item: item))
            } else {
                noteLost(item.place, "a disabled header has no usable name")
            }
        }
        request.headers = .grouped(headers, ignoringCase: true)
    }

    private mutating func add(
        _ name: String, _ item: CollectionRequest.Item, _ headers: inout [(name: String, value: OrderedJSON)]
    ) {
        let template = variables.template(item.value ?? "")
        let isSendable = template.pieces.allSatisfy { piece in
            guard case .literal(let text) = piece else { return true }
            return !text.utf8.contains { $0 == 0 || $0 == .lineFeed || $0 == .carriageReturn }
        }
        let name = name.contains("{{") ? variables.template(name).text : name
        guard name.isToken || name.contains("{{"), isSendable else {
            return noteLost(item.place, "a header has a name or a value that can't be sent")
        }
        // The client sets these headers itself, from the URL and the body.
        if ["host", "content-length"].contains(name.lowercased()), template.placeholders.isEmpty { return }
        headers.append((name, .string(template.text)))
    }

    // MARK: Optional parts

    mutating func addOptional(form item: CollectionRequest.Item, isMultipart: Bool) {
        if item.name.isEmpty || item.name.contains("{{") || item.files != nil {
            noteLost(item.place, "a disabled field has no usable name or is a file")
        } else {
            optional.append(Optional(part: isMultipart ? .multipart : .form, item: item))
        }
    }

    mutating func noteLost(_ place: Place, _ message: String) {
        notes.append(ConversionNote(.lost, message, at: place))
    }

    /// Adds params for disabled parts, for variables of folders, and for random values.
    mutating func addOptionalParams(_ folderVariables: [OrderedJSON.Member]) {
        let used = Set(request.placeholders)
        var folderValues: [String: OrderedJSON] = [:]
        for variable in folderVariables { folderValues[variable.name] = variable.value }
        let params = Set(request.params.map(\.name))
        for name in used.sorted() where !params.contains(name) {
            if let stated = folderValues[name] {
                let isTemplate = TemplateText(stated.scalarText ?? "").literal == nil
                request.params.append(
                    ImportedParam(name, stated.parameterKind, defaultValue: isTemplate ? nil : stated))
            } else if let example = PostmanRandom.example(name) {
                request.params.append(ImportedParam(name, example: example))
            } else if bareNames.contains(name), !name.hasPrefix("$"), !variables.hasValue(name) {
                request.params.append(ImportedParam(name, .json))
            }
        }
        var taken = ParamNames(used.union(request.params.map(\.name)))
        var parts = PartNames(request)
        for (item, part) in optional.map({ ($0.item, $0.part) }) {
            let value = item.value ?? ""
            let name = taken.free(item.name.trimmed)
            guard attach(item, part, "{{\(name)}}", &parts) else {
                noteLost(item.place, "a disabled item has the same name as another item")
                continue
            }
            taken.insert(name)
            request.params.append(
                ImportedParam(
                    name, description: item.description, required: false,
                    example: value.isEmpty || value.contains("{{") ? nil : .typed(value)))
        }
    }

    /// The names of the parts of a request, each name once.
    private struct PartNames {
        var query: Set<String> = []
        var headers: Set<String>
        var fields: Set<String>

        init(_ request: ImportedRequest) {
            if case .items(let items) = request.query { query = Set(items.map(\.name)) }
            headers = Set(request.headers.map { $0.name.lowercased() })
            fields = Set((request.body?.fields ?? []).map(\.name))
        }
    }

    private mutating func attach(
        _ item: CollectionRequest.Item, _ part: Optional.Part, _ placeholder: String, _ parts: inout PartNames
    ) -> Bool {
        let name = part == .header ? item.name.trimmed : TextTemplate.escaped(item.name)
        switch part {
        case .query:
            guard case .items(var items) = request.query, parts.query.insert(name).inserted else { return false }
            // The list is taken out of the request first. If it had two owners, each new item would copy the whole list.
            request.query = .items([])
            items.append(OrderedJSON.Member(name, .string(placeholder)))
            request.query = .items(items)
        case .header:
            guard parts.headers.insert(name.lowercased()).inserted else { return false }
            request.headers.append(OrderedJSON.Member(name, .string(placeholder)))
        case .form:
            guard case .form(var fields) = request.body ?? .form([]), parts.fields.insert(name).inserted else {
                return false
            }
            request.body = nil
            fields.append(OrderedJSON.Member(name, .string(placeholder)))
            request.body = .form(fields)
        case .multipart:
            guard case .multipart(var fields) = request.body ?? .multipart([]), parts.fields.insert(name).inserted
            else { return false }
            request.body = nil
            fields.append(OrderedJSON.Member(name, .part(text: .string(placeholder))))
            request.body = .multipart(fields)
        }
        return true
    }
}

/// Fixed examples in place of Postman's random variables that reqcli can't generate.
enum PostmanRandom {
    static func example(_ name: String) -> OrderedJSON? {
        guard name.hasPrefix("random"), name.utf8.count > 6 else { return nil }
        if let known = examples[name] { return known }
        let words = Words.of(name.dropFirst(6))
        return words.isEmpty ? nil : .string(words.joined(separator: " "))
    }

    private static let examples: [String: OrderedJSON] = [
        "randomAlphaNumeric": "7", "randomBoolean": true, "randomFirstName": "Ada", "randomLastName": "Lovelace",
        "randomFullName": "Ada Lovelace", "randomUserName": "ada", "randomEmail": "ada@example.com",
        "randomExampleEmail": "ada@example.com", "randomPhoneNumber": "555-0100", "randomCity": "London",
        "randomCountry": "France", "randomCountryCode": "FR", "randomStreetAddress": "1 Main Street",
        "randomStreetName": "Main Street", "randomUrl": "https://example.com", "randomDomainName": "example.com",
        "randomIP": "192.0.2.1", "randomIPV6": "2001:db8::1", "randomColor": "red", "randomHexColor": "#336699",
        "randomPrice": "9.99", "randomCurrencyCode": "EUR", "randomWord": "word", "randomWords": "some words",
        "randomCompanyName": "Example", "randomJobTitle": "Engineer", "randomProductName": "Chair",
        "randomDateRecent": "2026-01-02T03:04:05Z", "randomDatePast": "2025-01-02T03:04:05Z",
        "randomDateFuture": "2030-01-02T03:04:05Z", "randomLatitude": "48.8566", "randomLongitude": "2.3522",
        "randomFileName": "notes.txt", "randomPassword": "",
    ]
}

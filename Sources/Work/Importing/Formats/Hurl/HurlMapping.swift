import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding

/// Makes an endpoint from an entry of a Hurl file.
struct HurlMapping {
    let entry: HurlEntry
    let isExact: Bool
    private(set) var notes: [ConversionNote] = []
    /// Names of templates that are replaced by JSON in the body.
    private(set) var jsonNames: Set<String> = []
    /// The variables that `[Options]` sets for this entry and the entries after it.
    private(set) var variables: [OrderedJSON.Member] = []

    init(_ entry: HurlEntry, isExact: Bool) {
        self.entry = entry
        self.isExact = isExact
    }

    mutating func request() -> ImportedRequest {
        var request = ImportedRequest(at: entry.place, method: entry.method)
        request.description =
            entry.comment?.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
        let url = URLText(entry.url)
        request.base = url.base?.text
        request.path = url.path.textInURL
        if let account = url.credentials { request.auth = .account(account.user, account.password) }
        var query = url.query.map { QueryItem.items(of: $0, isExact ? .bytes : .decoded) } ?? []
        var headers = entry.request.headers
        var cookies: [TemplateText] = []
        for section in entry.request.sections {
            switch section.name {
            case "QueryStringParams", "Query": query += section.pairs.map { item($0) }
            case "FormParams", "Form": addForm(section, to: &request)
            case "MultipartFormData", "Multipart": addMultipart(section, to: &request)
            case "Cookies": cookies += section.pairs.map { [$0.name, $0.value].joined(by: "=") }
            case "BasicAuth":
                for pair in section.pairs { request.auth = .account(pair.name, pair.value) }
            case "Options":
                var options = HurlOptions(section)
                options.apply(to: &request)
                notes += options.notes
                variables += options.variables
                headers += options.headers
            default: note(.lost, "an unknown section is not converted", "[\(section.name)]", at: section.place)
            }
        }
        request.query = ImportedQuery(query)
        addHeaders(headers, cookies, to: &request)
        addBody(to: &request)
        let expectation = HurlExpectation(entry.response)
        request.expect = expectation.expect
        request.captures = expectation.captures
        notes += expectation.notes
        if !isExact { request.makeParamsOfPathValues() }
        return request
    }

    private mutating func note(
        _ kind: ConversionNote.Kind, _ message: String, _ detail: String? = nil, at place: Place
    ) {
        notes.append(ConversionNote(kind, message, detail, at: place))
    }

    // MARK: Parts

    private func item(_ pair: HurlPair) -> QueryItem {
        if let name = pair.name.literal { return QueryItem(name, pair.value) }
        let encoded = [pair.name, pair.value.mappingLiterals { PercentEncoding.queryComponent($0) }].joined(by: "=")
        return QueryItem("", pair.value, encoded: encoded)
    }

    private mutating func addHeaders(
        _ pairs: [HurlPair], _ cookies: [TemplateText], to request: inout ImportedRequest
    ) {
        var headers: [(name: String, value: OrderedJSON)] = []
        for pair in pairs {
            guard let name = pair.name.literal, name.isToken else {
                note(.toDo, "a header has an invalid name", at: pair.place)
                continue
            }
            headers.append((name, .string(pair.value.text)))
        }
        if !cookies.isEmpty { headers.append(("Cookie", .string(cookies.joined(by: "; ").text))) }
        request.headers += .grouped(headers, ignoringCase: true)
    }

    private mutating func addForm(_ section: HurlSection, to request: inout ImportedRequest) {
        request.body = .form(.grouped(fields(section) { .string($0.value.text) }))
    }

    private mutating func addMultipart(_ section: HurlSection, to request: inout ImportedRequest) {
        let parts = fields(section) { pair in
            guard let (path, type) = Self.file(pair.value) else { return .part(text: .string(pair.value.text)) }
            return .part(file: path.text, contentType: type?.text)
        }
        request.body = .multipart(.grouped(parts))
    }

    private mutating func fields(
        _ section: HurlSection, _ value: (HurlPair) -> OrderedJSON
    ) -> [(name: String, value: OrderedJSON)] {
        var fields: [(name: String, value: OrderedJSON)] = []
        for pair in section.pairs {
            if let name = pair.name.literal {
                fields.append((name, value(pair)))
            } else {
                note(.toDo, "the name of a field is a template: the field is left out", at: pair.place)
            }
        }
        return fields
    }

    /// The path and the type of `file,photo.png; image/png`.
    private static func file(_ value: TemplateText) -> (path: TemplateText, type: TemplateText?)? {
        guard case .literal(let text)? = value.pieces.first, text.hasPrefix("file,") else { return nil }
        let rest = [.literal(String(text.dropFirst(5)))] + value.pieces.dropFirst()
        let parts = TemplateText(rest).split(by: UInt8(ascii: ";"), atMost: 2).map(\.trimmed)
        return (parts[0], parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil)
    }

    // MARK: Bodies

    private mutating func addBody(to request: inout ImportedRequest) {
        guard let (content, place) = entry.request.body else { return }
        if request.body != nil { note(.lost, "an entry has a body and a form; only the body is converted", at: place) }
        // Hurl adds a Content-Type only for JSON and XML.
        if !content.hasLanguage { request.headers.add("Content-Type", .null) }
        switch content {
        case .file(let path): request.body = .file(path.text)
        case .base64(let text):
            guard Base64.decode(text) != nil else {
                note(.toDo, "a body is not valid base64", at: place)
                return
            }
            request.body = .base64(text)
        case .text(let text, "graphql"):
            let (query, variables) = text.splittingVariables
            jsonNames.formUnion(variables?.bareNames ?? [])
            notes += variables?.notes(at: place) ?? []
            request.body = .graphQL(query.trimmed.text, variables: variables?.value)
        case .text(let text, let language):
            let types = ["json": "application/json", "xml": "application/xml"]
            jsonNames = request.setBody(text, type: language.flatMap { types[$0] }, isExact: isExact, &notes)
        }
    }
}

extension TemplateText {
    /// A GraphQL document, and the JSON after the word `variables` at the beginning of a line.
    fileprivate var splittingVariables: (query: TemplateText, variables: TemplateJSON?) {
        for (index, piece) in pieces.enumerated() {
            guard case .literal(let text) = piece,
                let mark = text.firstRange(of: "\nvariables"),
                text[mark.upperBound...].drop(while: { $0 == " " || $0 == "\n" || $0 == "\t" }).hasPrefix("{")
            else { continue }
            let head = pieces[..<index] + [.literal(String(text[..<mark.lowerBound]))]
            let tail = [.literal(String(text[mark.upperBound...]))] + pieces[(index + 1)...]
            if let json = TemplateJSON(TemplateText(Array(tail))) { return (TemplateText(Array(head)), json) }
        }
        return (self, nil)
    }
}

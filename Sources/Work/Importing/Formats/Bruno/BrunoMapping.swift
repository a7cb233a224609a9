import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// Makes an endpoint from a .bru file.
struct BrunoMapping {
    let file: BruFile
    /// The settings of the collection and the folders, from the outside in.
    let levels: [BrunoLevel]
    let isExact: Bool
    var notes: [ConversionNote] = []
    var jsonNames: Set<String> = []
    private(set) var needsToken = false
    /// The names of the params.
    private var names = ParamNames()
    private(set) var inliningLimit: InliningLimit

    init(_ file: BruFile, _ levels: [BrunoLevel], _ inliningLimit: InliningLimit, isExact: Bool) {
        self.inliningLimit = inliningLimit
        self.file = file
        self.levels = levels
        self.isExact = isExact
    }

    private static let methods: Set = [
        "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "query",
    ]

    /// The request; nil, with a note, for a file that doesn't hold an HTTP request.
    mutating func request() -> ImportedRequest? {
        let type = file["meta"]?.value("type") ?? "http"
        let isHTTP = type == "http" || type == "graphql"
        guard isHTTP, let start = Self.start(of: file) else {
            let place = file.blocks.first?.place ?? Place(file.file, 0..<0)
            note(
                .lost, isHTTP ? "a file has no request" : "requests of this protocol are not converted", type,
                at: place)
            return nil
        }
        let method = start.name == "http" ? start.value("method") ?? "GET" : start.name
        var request = ImportedRequest(at: start.place, method: method.uppercased())
        request.name = file["meta"]?.value("name")
        request.tags = (file["meta"]?.value("tags") ?? "").split(separator: ",").map { String($0) }
            .filter { Name.isValid($0) }
        request.description = (file["docs"]?.text.firstParagraph).flatMap { $0.isEmpty ? nil : $0 }
        addURL(start, to: &request)
        addHeaders(to: &request)
        addAuth(start, to: &request)
        addBody(start.value("body") ?? "none", to: &request)
        addExpectations(to: &request)
        addVariables(to: &request)
        addSettings(to: &request)
        for block in file.blocks where !Self.known.contains(block.name) && !block.name.hasPrefix("auth:") {
            if !Self.methods.contains(block.name), !block.name.hasPrefix("body:") {
                note(.lost, "a block is not converted", block.name, at: block.place)
            }
        }
        if !isExact { request.makeParamsOfPathValues() }
        return request
    }

    /// The block with the method and the URL.
    static func start(of file: BruFile) -> BruBlock? {
        file.blocks.first { block in
            block.name == "http" || methods.contains(block.name) && block.value("url") != nil
        }
    }

    private static let known: Set = [
        "meta", "http", "params:query", "params:path", "query", "headers", "body", "vars:pre-request", "vars",
        "vars:post-response", "assert", "docs", "example", "tests", "script:pre-request", "script:post-response",
        "settings",
        "auth",
    ]

    mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ detail: String? = nil, at place: Place) {
        notes.append(ConversionNote(kind, message, detail, at: place))
    }

    // MARK: URL

    private mutating func addURL(_ start: BruBlock, to request: inout ImportedRequest) {
        let url = URLText(BrunoNames.template(start.value("url") ?? ""))
        request.base = url.base?.text
        request.path = path(url.path.textInURL, to: &request)
        if let account = url.credentials { request.auth = .account(account.user, account.password) }
        guard let params = file["params:query"] ?? file["query"] else {
            request.query = ImportedQuery(url.query ?? TemplateText([]), isExact: isExact)
            return
        }
        let items = params.pairs.map { pair -> QueryItem in
            QueryItem(pair.name, pair.isEnabled ? BrunoNames.template(pair.value) : optional(pair, &request))
        }
        request.query = ImportedQuery(items)
    }

    /// The path with params in place of `:name`.
    private mutating func path(_ path: String, to request: inout ImportedRequest) -> String {
        let values = (file["params:path"]?.pairs ?? []).enabledValues
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard segment.hasPrefix(":"), segment.utf8.count > 1 else { return String(segment) }
            let name = PercentEncoding.decoded(segment.dropFirst())
            let value = BrunoNames.template(values[name] ?? "")
            guard let literal = value.literal else { return value.text }
            let param = ParamNames.clean(name)
            if !names.contains(param) {
                names.insert(param)
                request.params.append(
                    literal.isEmpty ? ImportedParam(param) : ImportedParam(param, defaultValue: .typed(literal)))
            }
            return "{{\(param)}}"
        }.joined(separator: "/")
    }

    /// An optional param for a disabled pair. The pair is sent if the caller gives a value.
    mutating func optional(_ pair: BruPair, _ request: inout ImportedRequest) -> TemplateText {
        let name = names.take(pair.name)
        let example = BrunoNames.template(pair.value).literal.flatMap { $0.isEmpty ? nil : OrderedJSON.typed($0) }
        request.params.append(ImportedParam(name, required: false, example: example))
        return TemplateText([.placeholder(name)])
    }

    // MARK: Headers and auth

    private mutating func addHeaders(to request: inout ImportedRequest) {
        // The headers; nil in place of a header that a later header replaces.
        var headers: [(name: String, value: OrderedJSON)?] = []
        var positions: [String: [Int]] = [:]
        var ownNames: Set<String> = []
        let own = file["headers"]?.pairs ?? []
        for (depth, pairs) in (levels.map(\.headers) + [own]).enumerated() {
            for pair in pairs {
                let name = BrunoNames.template(pair.name).text
                guard name.isToken || name.contains("{{") else {
                    note(.lost, "a header has an invalid name", at: pair.place)
                    continue
                }
                let isOuter = depth < levels.count
                if isOuter, !pair.isEnabled { continue }
                let key = name.lowercased()
                if isOuter || pair.isEnabled && ownNames.insert(key).inserted {
                    for position in positions.removeValue(forKey: key) ?? [] { headers[position] = nil }
                }
                let value = pair.isEnabled ? BrunoNames.template(pair.value) : optional(pair, &request)
                positions[key, default: []].append(headers.count)
                headers.append((name, .string(value.text)))
            }
        }
        request.headers = .grouped(headers.compactMap(\.self), ignoringCase: true)
    }

    private mutating func addAuth(_ start: BruBlock, to request: inout ImportedRequest) {
        let mode = start.value("auth") ?? "inherit"
        let stated = BrunoAuth(mode, file)
        guard let auth = stated ?? levels.reversed().lazy.compactMap(\.auth).first else { return }
        let place = auth.block?.place ?? start.place
        switch auth.result {
        case .auth(.none, _):
            if levels.contains(where: { $0.auth.map { $0.mode != "none" } ?? false }) { request.auth = .none }
        case .auth(let value, let toDo):
            if request.auth == .inherited { request.auth = value }
            if let toDo { note(.toDo, toDo, at: place) }
            if auth.hasTokenParameters {
                note(
                    .lost, "additional parameters of OAuth 2 are not converted: write them to \"parameters\"", at: place
                )
            }
        case .token(let message):
            needsToken = true
            request.auth = .bearer("{{accessToken}}")
            note(.toDo, message, "accessToken", at: place)
        case .lost(let message): note(.toDo, message, auth.mode, at: place)
        }
    }

    // MARK: Variables and settings

    private mutating func addVariables(to request: inout ImportedRequest) {
        for pair in file["vars:post-response"]?.pairs ?? [] where pair.isEnabled {
            let name = ParamNames.clean(pair.name.hasPrefix("@") ? String(pair.name.dropFirst()) : pair.name)
            if let source = ScriptUnit.value(of: pair.value, .bruno)?.captured {
                request.captures.append(ImportedCapture(name, source))
            } else {
                note(
                    .lost, "a capture is not converted; requests that use it get a param instead", name, at: pair.place)
            }
        }
        // The value from the nearest level is used.
        let levels =
            [(file["vars:pre-request"] ?? file["vars"])?.pairs ?? []] + levels.dropFirst().reversed().map(\.variables)
        let stated = levels.joined().filter(\.isEnabled).map { pair in
            (
                name: ParamNames.clean(pair.name.hasPrefix("@") ? String(pair.name.dropFirst()) : pair.name),
                value: BrunoNames.template(pair.value)
            )
        }
        let all = scriptVariables(beside: stated.filter { $0.value.literal == nil }.map(\.name)) + stated
        if all.isEmpty { return }
        var used = Set(request.placeholders)
        var defaults: [OrderedJSON.Member] = []
        var inlining = BrunoInlining(inliningLimit)
        for (name, value) in all where used.contains(name) {
            if let literal = value.literal {
                defaults.append(OrderedJSON.Member(name, .typed(literal)))
            } else {
                inlining.add(name, value)
                used.remove(name)
                used.formUnion(value.placeholders)
            }
        }
        if !inlining.isEmpty { request.mapTexts { _, text in inlining.text(text) } }
        inliningLimit = inlining.limit
        request.addDefaults(defaults)
    }

    /// The variables that the script before the request sets, the last one first, because it counts.
    ///
    /// - Parameter others: The variables with placeholders in their values. A function of such a variable isn't converted.
    private mutating func scriptVariables(beside others: [String]) -> [(name: String, value: TemplateText)] {
        var open = Set(others)
        var variables: [(name: String, value: TemplateText)] = []
        for (unit, place) in file["script:pre-request"]?.units ?? [] {
            guard unit.name == nil, let (name, value) = unit.settings.first, case .constant(let constant)? = value,
                let text = constant.scalarText.map({ TemplateText($0) }),
                !text.isComputed || open.isDisjoint(with: text.placeholders)
            else {
                note(.lost, "a script is not converted", unit.settings.first?.name ?? "script:pre-request", at: place)
                continue
            }
            if text.literal == nil { open.insert(name) }
            variables.append((name, text))
        }
        return variables.reversed()
    }

    private func addSettings(to request: inout ImportedRequest) {
        if file["settings"]?.value("followRedirects") == "false" {
            request.settings.set("redirects.follow", false)
        }
        guard let text = file["settings"]?.value("timeout"), let time = Int(text), time > 0 else { return }
        request.settings.set("timeout.total", .milliseconds(time))
    }
}

extension BrunoMapping {
    /// A variant for each saved response.
    mutating func variants() -> [ImportedVariant] {
        var responses = SavedResponses()
        for example in file.examples {
            guard let status = example.status, (100...599).contains(status) else {
                note(.lost, "a saved response has no status", example.name, at: example.place)
                continue
            }
            let headers = example.headers.filter(\.isEnabled).map { (name: $0.name, value: $0.value) }
            responses.add(example.name, status: status, headers: headers, text: example.text)
        }
        return responses.variants
    }
}

extension [BruPair] {
    /// The first enabled value of each name.
    var enabledValues: [String: String] {
        Dictionary(filter(\.isEnabled).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

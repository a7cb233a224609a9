import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding

/// One request of a recording, with its response.
struct HARExchange {
    var request: ImportedRequest
    /// The items of the query, in the order of the URL.
    var query: [QueryItem]
    var variant: ImportedVariant?
    /// The names of headers that a browser has added. These headers are left out.
    private(set) var browserHeaders: [String] = []

    init(_ entry: JSONValue, _ source: JSONValue, _ options: ImportOptions, _ notes: inout [ConversionNote]) {
        let place = source["url"]?.place ?? source.place
        let method = source["method"]?.string ?? "GET"
        var url = URLText(TemplateText(literal: source["url"]?.string ?? ""))
        let added = Self.queryBesideURL(source, url)
        if !added.isEmpty {
            url.query = TemplateText(literal: [url.query?.literal, added].compactMap { $0 }.joined(separator: "&"))
        }
        query = QueryItem.items(of: url.query ?? TemplateText([]), options.isExact ? .bytes : .decoded)
        request = ImportedRequest(at: place, method: method, base: url.base?.text, path: url.path.text)
        var headers = Self.headers(source, &notes)
        if !options.isExact, BrowserNoise.marks(headers) {
            browserHeaders = headers.map(\.name)
            headers.removeAll { BrowserNoise.contains($0.name, $0.value, method: method) }
            let kept = Set(headers.map(\.name))
            browserHeaders.removeAll(where: kept.contains)
        }
        request.headers = .grouped(headers.map { ($0.name, .literal($0.value)) }, ignoringCase: true)
        // Names of headers are tokens, so they contain no braces to escape.
        if let account = url.credentials { request.auth = .account(account.user, account.password) }
        if url.hasFragment {
            notes.append(ConversionNote(.remark, "the part of a URL after \"#\" is never sent", at: place))
        }
        if let body = source["postData"], body.kind == .object { addBody(body, options, &notes) }
        if options.stubs != .none, let response = entry["response"], response.kind == .object {
            variant = HARResponse(response, method: method, &notes).variant
        }
    }

    // MARK: Query and headers

    /// The query items that are only in `queryString`, not in the URL. In a recording, the URL has all items. In a single
    /// request, the URL may lack some items.
    private static func queryBesideURL(_ source: JSONValue, _ url: URLText) -> String {
        var known: Set<String> = []
        for item in (url.query?.literal ?? "").split(separator: "&", omittingEmptySubsequences: false) {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentEncoding.decoded($0.replacing("+", with: " "))
            }
            known.insert(sides[0] + "=" + (sides.count > 1 ? sides[1] : ""))
        }
        return source.list("queryString").compactMap { item -> String? in
            guard let name = item["name"]?.string else { return nil }
            let value = item["value"]?.scalarText ?? ""
            let forms = ["\(name)=\(value)", PercentEncoding.decoded("\(name)=\(value)".replacing("+", with: " "))]
            if forms.contains(where: known.contains) { return nil }
            return "\(PercentEncoding.queryComponent(name))=\(PercentEncoding.queryComponent(value))"
        }.joined(separator: "&")
    }

    private static func headers(
        _ source: JSONValue, _ notes: inout [ConversionNote]
    ) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for header in source.list("headers") {
            let written = header["name"]?.string
            // HTTP/2 sends the method and the URL as headers that begin with a colon.
            if written?.hasPrefix(":") == true { continue }
            guard let name = written, name.isToken, let value = header["value"]?.scalarText,
                !value.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn || $0 == 0 })
            else {
                let message = "a header has a name or a value that HTTP can't send"
                notes.append(ConversionNote(.lost, message, at: header.place))
                continue
            }
            headers.append((name, value.trimmed))
        }
        headers.removeAll { ofConnection.contains($0.name.lowercased()) }
        if !headers.contains(where: { $0.name.lowercased() == "cookie" }) {
            let cookies = source.list("cookies").compactMap { cookie in
                cookie["name"]?.string.map { "\($0)=\(cookie["value"]?.scalarText ?? "")" }
            }
            if !cookies.isEmpty { headers.append(("Cookie", cookies.joined(separator: "; "))) }
        }
        return headers
    }

    /// Headers that the client sets itself, from the URL, the body and the connection.
    private static let ofConnection: Set<String> = [
        "host", "content-length", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
        "expect",
    ]

    // MARK: Body

    private mutating func addBody(_ body: JSONValue, _ options: ImportOptions, _ notes: inout [ConversionNote]) {
        let type = body["mimeType"]?.string ?? ""
        let media = MediaType(type)
        let text = body["text"]?.string ?? ""
        let params = body.list("params")
        if media.isMultipart, !params.isEmpty {
            addMultipart(params, &notes)
        } else if body["encoding"]?.string == "base64", Base64.decode(text) != nil {
            request.body = .base64(text)
            if !type.isEmpty { request.headers.add("Content-Type", .literal(type)) }
        } else if !text.isEmpty {
            request.setBody(
                TemplateText(literal: text), type: type.isEmpty ? nil : type, isExact: options.isExact, &notes)
        } else if media.isForm, !params.isEmpty {
            request.body = .form(
                .grouped(params.map { ($0["name"]?.string ?? "", .literal($0["value"]?.scalarText ?? "")) }))
            request.headers.removeAll {
                $0.name.lowercased() == "content-type" && $0.value == .string("application/x-www-form-urlencoded")
            }
        } else if media.isMultipart || (body["size"]?.number.map { $0 > JSONNumber(0) } ?? false) {
            notes.append(ConversionNote(.lost, "the body of the request is not recorded", at: body.place))
        }
    }

    private mutating func addMultipart(_ params: [JSONValue], _ notes: inout [ConversionNote]) {
        request.headers.remove("Content-Type")
        var parts: [(name: String, value: OrderedJSON)] = []
        var taken = ParamNames(request.params.map(\.name))
        for (index, param) in params.enumerated() {
            let name = param["name"]?.string ?? "part\(index + 1)"
            let type = param["contentType"]?.string.map { TextTemplate.escaped($0) }
            let filename = param["fileName"]?.string
            if let value = param["value"]?.scalarText {
                let filename = filename.map { TextTemplate.escaped($0) }
                parts.append((name, .part(text: .literal(value), filename: filename, contentType: type)))
            } else {
                let param = taken.take(name)
                request.params.append(ImportedParam(param, fileLike: filename))
                let last = filename.map { TextTemplate.escaped(String($0.split(separator: "/").last ?? "file")) }
                parts.append((name, .part(file: "{{\(param)}}", filename: last, contentType: type)))
                notes.append(
                    ConversionNote(
                        .toDo, "a file of the request is not recorded; the endpoint has a param for it", name,
                        at: request.place))
            }
        }
        request.body = .multipart(.grouped(parts))
    }
}

import ReqcliText

extension CollectionRequest {
    /// A request of a collection 2.1 or 2.0.
    ///
    /// - Parameters:
    ///   - source: The value of the key `request`: an object, or a URL.
    ///   - item: The object with the request, its name and its responses.
    init(postman source: JSONValue, of item: JSONValue) {
        self.init(at: item["name"]?.place ?? item.place)
        name = item["name"]?.string ?? ""
        description = Self.paragraph(source["description"]) ?? Self.paragraph(item["description"])
        methodPlace = source["method"]?.place
        method = source["method"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "GET"
        if let url = source.kind == .string ? source : source["url"] {
            self.url = url.string ?? url["raw"]?.string ?? Self.composed(url)
            if url["query"]?.kind == .array { query = url.list("query").map { Item(postman: $0) } }
            pathValues = url.list("variable").map { Item(postman: $0) }
        }
        headers = Self.headers(source["header"])
        auth = Auth(postman: source["auth"])
        body = source["body"].flatMap { Body(postman: $0) }
        responses = item.list("response").filter { $0.kind == .object }.map { response in
            let headers = response.list("header").map { header in
                (name: header["key"]?.string ?? "", value: header["value"]?.scalarText ?? "")
            }
            return Response(
                name: response["name"]?.string ?? "",
                status: response["code"]?.number?.int ?? (response["code"]?.string).flatMap { Int($0) },
                headers: headers, text: response["body"]?.string ?? "", place: response.place)
        }
    }

    /// The text of a URL that is given in parts.
    static func composed(_ url: JSONValue) -> String {
        func joined(_ key: String, by separator: String) -> String? {
            guard let value = url[key] else { return nil }
            if let text = value.string { return text }
            return value.elements.map { $0.string ?? $0["value"]?.scalarText ?? "" }.joined(separator: separator)
        }
        let host = joined("host", by: ".") ?? ""
        let port = url["port"]?.scalarText.map { ":" + $0 } ?? ""
        let scheme = url["protocol"]?.string.map { "\($0)://" } ?? ""
        let path = joined("path", by: "/").map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? ""
        return scheme + host + port + path
    }

    private static func headers(_ source: JSONValue?) -> [Item] {
        guard let source else { return [] }
        let lines = (source.string ?? "").split(whereSeparator: \.isNewline).compactMap { line -> Item? in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            return Item(name: String(sides[0]).trimmed, value: String(sides[1]).trimmed, place: source.place)
        }
        return lines + source.elements.filter { $0.kind == .object }.map { Item(postman: $0) }
    }

    /// The first paragraph of a description, which is a string or an object with a string.
    static func paragraph(_ value: JSONValue?) -> String? {
        let text = (value?.string ?? value?["content"]?.string)?.firstParagraph ?? ""
        return text.isEmpty ? nil : text
    }
}

extension CollectionRequest.Item {
    init(postman item: JSONValue) {
        self.init(
            name: (item["key"] ?? item["id"])?.scalarText ?? "", value: item["value"]?.scalarText, place: item.place)
        let text = (item["description"]?.string ?? item["description"]?["content"]?.string)?.trimmed ?? ""
        description = text.isEmpty ? nil : text
        isDisabled = item["disabled"]?.bool == true || item["enabled"]?.bool == false
        contentType = item["contentType"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        if item["type"]?.string == "file" {
            let paths = item.list("src").compactMap(\.string)
            // If no file is chosen, there is one empty path.
            files = paths.isEmpty ? [item["src"]?.string ?? ""] : paths
        }
    }
}

extension CollectionRequest.Auth {
    /// Nil for credentials that are inherited.
    init?(postman auth: JSONValue?) {
        guard let auth, !auth.isNull, auth["type"]?.string != "inherit" else { return nil }
        self.init(type: auth["type"]?.string ?? "noauth", place: auth.place)
        guard let settings = auth[type] else { return }
        set(settings)
    }

    /// Takes settings from an object, or from a list of objects with `key` and `value`.
    mutating func set(_ settings: JSONValue) {
        for member in settings.members { values[member.name] = member.value.scalarText }
        for setting in settings.elements {
            guard let key = setting["key"]?.string else { continue }
            values[key] = setting["value"]?.scalarText
            if ["tokenRequestParams", "authRequestParams"].contains(key) { add(parameters: setting["value"]) }
        }
        for key in ["tokenRequestParams", "authRequestParams"] { add(parameters: settings[key]) }
    }

    /// The beginning of the names of a client's parameters in `values`.
    static let parameterMark = "parameter "

    private mutating func add(parameters: JSONValue?) {
        parameters?.elements.forEach { parameter in
            guard let key = parameter["key"]?.string, parameter["enabled"]?.bool != false else { return }
            values[Self.parameterMark + key] = parameter["value"]?.scalarText
        }
    }
}

extension CollectionRequest.Body {
    /// Nil if there is no body.
    init?(postman body: JSONValue) {
        guard body.kind == .object, let mode = body["mode"]?.string, mode != "none" else { return nil }
        place = body.place
        let source = body[mode]
        func items() -> [CollectionRequest.Item] {
            source.map { $0.elements.filter { $0.kind == .object }.map { CollectionRequest.Item(postman: $0) } } ?? []
        }
        switch mode {
        case _ where body["disabled"]?.bool == true: content = .disabled
        case "raw":
            content = .text(source?.string ?? "", type: Self.types[body["options"]?["raw"]?["language"]?.string ?? ""])
        case "urlencoded":
            content = source?.string.map { .text($0, type: "application/x-www-form-urlencoded") } ?? .form(items())
        case "formdata": content = .multipart(items())
        case "file":
            let text = source?["content"]?.string ?? ""
            content = text.isEmpty ? .file(source?["src"]?.string ?? source?.string ?? "") : .text(text, type: nil)
        case "graphql": content = .graphQL(source)
        default: content = .unknown
        }
    }

    /// The media types of Postman's languages.
    static let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html",
        "javascript": "application/javascript", "text": "text/plain",
    ]
}

extension CollectionVariable {
    /// The variables of a list, without disabled ones.
    static func list(postman values: [JSONValue]) -> [CollectionVariable] {
        values.compactMap { value in
            guard let key = value["key"]?.string ?? value["id"]?.string, !key.isEmpty,
                value["disabled"]?.bool != true, value["enabled"]?.bool != false
            else { return nil }
            return CollectionVariable(key, value["value"], isSecret: value["type"]?.string == "secret")
        }
    }
}

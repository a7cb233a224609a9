import ReqcliText

extension CollectionRequest {
    /// A request of a collection v3; nil for a request of another protocol than HTTP. Its credentials and responses are added by
    /// the caller.
    init?(v3 source: JSONValue, named name: String) {
        let kind = source["$kind"]?.string ?? "http-request"
        guard kind == "http-request" || kind == "graphql-request" else { return nil }
        self.init(at: source["url"]?.place ?? source.place)
        self.name = name
        description = Self.paragraph(source["description"])
        methodPlace = source["method"]?.place
        let method = source["method"]?.scalarText ?? ""
        self.method = !method.isEmpty ? method.uppercased() : kind == "graphql-request" ? "POST" : "GET"
        url = source["url"]?.scalarText ?? source["url"].map { $0["raw"]?.string ?? Self.composed($0) } ?? ""
        let items = Item.list(v3: source["queryParams"])
        if !items.isEmpty {
            // The URL repeats the items of the list, unless they are disabled.
            let names = Set(items.map(\.name))
            query = Item.query(of: url, at: place).filter { !names.contains($0.name) } + items
        }
        pathValues = Item.list(v3: source["pathVariables"])
        headers = Item.list(v3: source["headers"])
        body =
            kind == "graphql-request"
            ? Body(content: .graphQL(source), place: source.place) : source["body"].flatMap { Body(v3: $0) }
    }
}

extension CollectionRequest.Item {
    /// Items in a list of objects with `key` and `value`, or in an object.
    static func list(v3 value: JSONValue?) -> [Self] {
        guard let value else { return [] }
        return value.elements.filter { $0.kind == .object }.map { Self(postman: $0) }
            + value.members.map { Self(name: $0.name, value: $0.value.scalarText ?? "", place: $0.value.place) }
    }
}

extension CollectionRequest.Auth {
    /// Nil for credentials that are inherited.
    init?(v3 auth: JSONValue?) {
        guard let auth, let type = auth["type"]?.string, type != "inherit" else { return nil }
        let names = ["none": "noauth", "aws": "awsv4"]
        self.init(type: names[type] ?? type, place: auth.place)
        if let settings = auth["credentials"] ?? auth[type] { set(settings) }
    }
}

extension CollectionRequest.Body {
    /// Nil if there is no body.
    init?(v3 body: JSONValue) {
        guard let type = body["type"]?.string else {
            self.init(postman: body)
            return
        }
        guard type != "none" else { return nil }
        let source = body["content"]
        let content: Content =
            switch type {
            case "formdata": .multipart(CollectionRequest.Item.list(v3: source))
            case "urlencoded": .form(CollectionRequest.Item.list(v3: source))
            case "file": .file(source?.string ?? source?["src"]?.string ?? "")
            case "graphql": .graphQL(source)
            default:
                Self.types[type].map { .text(source.map { $0.scalarText ?? OrderedJSON($0).compact } ?? "", type: $0) }
                    ?? .unknown
            }
        self.init(content: content, place: body.place)
    }
}

extension CollectionRequest.Response {
    init(v3 example: JSONValue, named name: String) {
        let response = example["response"] ?? example
        let status = response["statusCode"] ?? response["code"]
        let body = response["body"]
        let content = body?["content"] ?? body
        self.init(
            name: example["name"]?.scalarText ?? name, status: status.flatMap { Int($0.scalarText ?? "") },
            headers: CollectionRequest.Item.list(v3: response["headers"]).filter { !$0.isDisabled }.map {
                (name: $0.name, value: $0.value ?? "")
            },
            text: content?.scalarText ?? content.flatMap { $0.isNull || $0.count == 0 ? nil : OrderedJSON($0).compact }
                ?? "", place: (status ?? example).place)
    }
}

extension CollectionVariable {
    /// Variables in a list of objects with `key` and `value`, or in an object.
    static func list(v3 value: JSONValue?) -> [CollectionVariable] {
        guard let value else { return [] }
        return list(postman: Array(value.elements)) + value.members.map { CollectionVariable($0.name, $0.value) }
    }
}

/// A request in which open values are written as `{{name}}`.
struct TemplateCall {
    let request: OpenRequest
    let method: String
    /// The URL up to the query. A URL below the base URL begins with the placeholder of the base URL.
    let address: String
    /// Query items as they are in the URL.
    let query: [Item]
    /// The headers that the endpoint or its environment sets, without credentials.
    let headers: [Item]
    /// The type of the body, if the format doesn't add the type itself.
    let contentType: Item?
    let credentials: Credentials
    let body: Body

    struct Item {
        let name: String
        let value: String
        /// Whether the item is an optional param without a value. Such an item isn't sent.
        var isDisabled = false
        /// Whether the item has no equals sign.
        var isBare = false

        var isContentType: Bool { name.lowercased() == "content-type" }
    }

    enum Credentials {
        case none
        case bearer(String)
        case basic(user: String, password: String)
        case digest(user: String, password: String)
        case key(inQuery: Bool, name: String, value: String)
    }

    enum Body {
        case none
        /// JSON with placeholders, indented.
        case json(String)
        case graphQL(query: String, variables: String?, whole: String)
        case text(String)
        case form([Item])
        case multipart([OpenPart])
        /// A file, with its path below the workspace's folder.
        case file(String)
        /// Bytes that aren't text.
        case bytes([UInt8])
    }

    var url: String {
        let sent = query.filter { !$0.isDisabled }.map { $0.isBare ? $0.name : "\($0.name)=\($0.value)" }
        return sent.isEmpty ? address : "\(address)?\(sent.joined(separator: "&"))"
    }
}

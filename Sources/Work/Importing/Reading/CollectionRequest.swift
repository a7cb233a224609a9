import ReqcliDefinitions
import ReqcliText

/// A request of a tool that keeps requests in collections, such as Postman. Its texts have placeholders as Postman writes them.
struct CollectionRequest {
    var place: Place
    var name = ""
    var description: String?
    var method = "GET"
    var methodPlace: Place?
    var url = ""
    /// The items of the query, if they replace the query of the URL.
    var query: [Item]?
    /// The values of segments such as `:id`.
    var pathValues: [Item] = []
    var headers: [Item] = []
    /// The credentials; nil for the credentials of the folder.
    var auth: Auth?
    var body: Body?
    var responses: [Response] = []

    init(at place: Place) { self.place = place }

    /// A query item, a header, a path variable, or a field of a form.
    struct Item {
        var name: String
        var value: String?
        var place: Place
        var description: String?
        var isDisabled = false
        /// The media type of a part of a multipart body.
        var contentType: String?
        /// The paths of a part with files; nil for a part with text.
        var files: [String]?
    }

    struct Auth {
        /// The kind in Postman's words: `bearer`, `apikey`, `noauth`.
        var type: String
        /// The settings by the names of Postman.
        var values: [String: String] = [:]
        var place: Place
    }

    struct Body {
        var content: Content
        var place: Place

        enum Content {
            case text(String, type: String?)
            case form([Item])
            case multipart([Item])
            /// A body with the content of a file, by the path of the file.
            case file(String)
            case graphQL(query: String, variables: String, operation: String?)
            case disabled
            case unknown

            /// - Parameter source: An object with `query`, `variables` and `operationName`.
            static func graphQL(_ source: JSONValue?) -> Content {
                let variables = source?["variables"]
                return .graphQL(
                    query: source?["query"]?.string ?? "",
                    variables: variables?.string ?? variables.map { $0.isNull ? "" : OrderedJSON($0).compact } ?? "",
                    operation: source?["operationName"]?.string)
            }
        }

        /// Whether there is anything to send. Tools may leave an empty body.
        var hasContent: Bool {
            switch content {
            case .text(let text, _), .file(let text), .graphQL(let text, _, _): !text.isEmpty
            case .form(let items), .multipart(let items): !items.isEmpty
            case .unknown: true
            case .disabled: false
            }
        }
    }

    /// A response that the collection keeps.
    struct Response {
        var name: String
        var status: Int?
        var headers: [(name: String, value: String)]
        var text: String
        var place: Place
    }
}

extension CollectionRequest.Item {
    /// The items of a URL's query, as the URL writes them.
    static func query(of url: String, at place: Place) -> [Self] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].dropFirst().prefix { $0 != "#" }.split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return Self(name: sides[0], value: sides.count > 1 ? sides[1] : nil, place: place)
        }
    }
}

/// A variable of a collection, a folder or an environment.
struct CollectionVariable {
    let name: String
    /// The value. A string has placeholders as Postman writes them; other values are as in an endpoint file.
    let value: OrderedJSON
    var isSecret = false
}

extension CollectionVariable {
    /// A variable with a value of a source in JSON or YAML.
    init(_ name: String, _ value: JSONValue?, isSecret: Bool = false, _ text: (String) -> String = { $0 }) {
        let json: OrderedJSON =
            switch value?.kind {
            case .string: .string(text(value?.string ?? ""))
            case .number, .true, .false: value.map { OrderedJSON($0) } ?? ""
            case .object, .array:
                value.map { $0.hasRepeatedKeys ? .literal($0.text) : OrderedJSON($0).escapingBraces } ?? ""
            case .null, .invalid, nil: ""
            }
        self.init(name: name, value: json, isSecret: isSecret)
    }
}

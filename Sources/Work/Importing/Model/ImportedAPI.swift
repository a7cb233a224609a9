package import ReqcliText

/// The requests of a source, written as endpoint files write them, before they have ids, files and a common server.
///
/// A reader of a format makes one. All texts in it are templates as in endpoint files: `{{name}}` is a param or a variable, and a
/// literal `{{` is escaped. Credentials stand in it as the source has them; the passes replace them.
package struct ImportedAPI: Sendable {
    /// The name of the API, for the group above its endpoints.
    package var title: String?
    package var requests: [ImportedRequest] = []
    /// The environments of the source. The first one is used where the user names none.
    package var environments: [ImportedEnvironment] = []
    /// What groups are about, by the folders of their requests.
    package var groupDescriptions: [[String]: String] = [:]
    /// Whether `export` has written the source: servers, paths and the order of headers are those of a workspace.
    package var isExported = false
    /// Whether the environments say all that requests share, so that nothing else moves there.
    package var statesEnvironments = false
    /// Files for `schemas/`, by name without extension.
    package var schemas: [OrderedJSON.Member] = []

    package init(title: String? = nil) { self.title = title }
}

/// One request of a source.
package struct ImportedRequest: Sendable {
    /// Where the source states it.
    package var place: Place
    /// The id of the endpoint that `export` has written as this request.
    package var id: String?
    /// The name that recognises it in a newer source, such as an operationId. It becomes the id, too.
    package var key: String?
    /// The name that people gave it.
    package var name: String?
    /// The groups around it, from the outside in.
    package var folders: [String] = []
    /// How many folders above that of its file the paths of files begin: at the root of a collection.
    package var filesAbove = 0
    package var description: String?
    package var tags: [String] = []
    package var method = "GET"
    /// Scheme, host and port with what comes before the path: `https://api.example.com/v1` or `{{baseUrl}}`; nil where the
    /// environments of the source say it.
    package var base: String?
    /// The path behind the base, percent-encoded, with a `/` at its start.
    package var path = "/"
    package var query: ImportedQuery = .items([])
    /// Header names with a text, a list of texts, "" or null.
    package var headers: [OrderedJSON.Member] = []
    package var params: [OrderedJSON.Member] = []
    package var auth: Auth = .inherited
    /// The kind of the body and its content: `json` and a value.
    package var body: OrderedJSON.Member?
    /// Keys of every layer that have no field here, such as `timeout` and `redirects`.
    package var settings: [OrderedJSON.Member] = []
    package var captures: [OrderedJSON.Member] = []
    package var needs: [OrderedJSON.Member] = []
    package var expect: OrderedJSON?
    package var variants: [ImportedVariant] = []

    package enum Auth: Sendable, Equatable {
        /// The source says nothing: the credentials are those of the group or the environment.
        case inherited
        case none
        /// The value of the key `auth`.
        case stated(OrderedJSON)
    }

    package init(at place: Place, method: String = "GET", base: String? = nil, path: String = "/") {
        self.place = place
        self.method = method
        self.base = base
        self.path = path
    }
}

/// The query of a request.
package enum ImportedQuery: Sendable, Equatable {
    /// Names with a text, a list of texts, or null.
    case items([OrderedJSON.Member])
    /// The query as the URL has it, where an object can't say the same.
    case text(String)
}

/// A response that the source holds, which becomes a stub variant.
package struct ImportedVariant: Sendable {
    package var name: String
    package var description: String?
    package var status: Int
    package var headers: [OrderedJSON.Member] = []
    package var body: Body?

    package enum Body: Sendable, Equatable {
        case json(OrderedJSON)
        case text(String)
        case bytes([UInt8])
    }

    package init(_ name: String, status: Int, body: Body? = nil) {
        self.name = name
        self.status = status
        self.body = body
    }
}

/// An environment of a source.
package struct ImportedEnvironment: Sendable {
    /// Its name; nil if it becomes the environment that the user names or uses.
    package var name: String?
    package var description: String?
    package var baseURL: String?
    /// Names and values. Those that are secrets by their name or their shape are not written.
    package var variables: [OrderedJSON.Member] = []
    /// The names of variables that the source calls secret, with their values if it has them.
    package var secrets: [OrderedJSON.Member] = []
    package var headers: [OrderedJSON.Member] = []
    package var auth: OrderedJSON?
    /// Other keys of every layer.
    package var settings: [OrderedJSON.Member] = []

    package init(name: String? = nil, baseURL: String? = nil) {
        self.name = name
        self.baseURL = baseURL
    }
}

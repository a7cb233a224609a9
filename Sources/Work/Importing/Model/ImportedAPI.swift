package import ReqcliText

/// The requests of a source, written as endpoint files write them, before they have ids, files and a common server.
///
/// The reader of a format makes it. All strings in it are templates as in endpoint files: `{{name}}` is a param or a variable, and
/// a literal `{{` is escaped. Credentials are in it as the source has them; the passes replace them.
package struct ImportedAPI: Sendable {
    /// The name of the API, for the group above its endpoints.
    package var title: String?
    package var requests: [ImportedRequest] = []
    /// The environments of the source. The first one is used if the user names none.
    package var environments: [ImportedEnvironment] = []
    /// The descriptions of groups, by the folders of their requests.
    package var groupDescriptions: [[String]: String] = [:]
    /// Whether `export` has written the source. Then servers, paths and the order of headers are those of a workspace, and are
    /// kept.
    package var isExported = false
    /// Whether the environments already have everything that requests share, so that nothing else is moved to them.
    package var statesEnvironments = false
    /// The files for `schemas/`, by their names without extension.
    package var schemas: [OrderedJSON.Member] = []

    package init(title: String? = nil) { self.title = title }
}

/// One request of a source.
package struct ImportedRequest: Sendable {
    /// The place of the request in the source.
    package var place: Place
    /// The id of the endpoint from which `export` has made this request.
    package var id: String?
    /// The name that identifies the request in a newer source, such as an operationId. The name of the endpoint is made from it,
    /// too.
    package var key: String?
    /// The name of the request for people.
    package var name: String?
    /// The groups around it, from the outside in.
    package var folders: [String] = []
    /// The number of folders to go up from the request's file to the folder that paths of files are relative to, such as the root
    /// of a collection.
    package var filesAbove = 0
    package var description: String?
    package var tags: [String] = []
    package var method = "GET"
    /// Scheme, host and port, with what comes before the path: `https://api.example.com/v1` or `{{baseUrl}}`. Nil if the
    /// environments of the source have it.
    package var base: String?
    /// The path after the base, percent-encoded, with a `/` at its start.
    package var path = "/"
    package var query: ImportedQuery = .items([])
    /// Header names, each with a string, a list of strings, "" or null.
    package var headers: [OrderedJSON.Member] = []
    package var params: [OrderedJSON.Member] = []
    package var auth: Auth = .inherited
    /// The kind of the body and its content: `json` and a value.
    package var body: OrderedJSON.Member?
    /// Keys that every layer may have and that have no property here, such as `timeout` and `redirects`.
    package var settings: [OrderedJSON.Member] = []
    package var captures: [OrderedJSON.Member] = []
    package var needs: [OrderedJSON.Member] = []
    package var expect: OrderedJSON?
    package var variants: [ImportedVariant] = []

    package enum Auth: Sendable, Equatable {
        /// The source states nothing: the credentials are those of the group or the environment.
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
    /// Names, each with a string, a list of strings, or null.
    case items([OrderedJSON.Member])
    /// The query as in the URL, if an object can't express the same query.
    case text(String)
}

/// A response in the source, which becomes a stub variant.
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
    /// The name of the environment; nil if it becomes the environment that the user names or uses.
    package var name: String?
    package var description: String?
    package var baseURL: String?
    /// Names and values. Variables that are secrets by their name or by the form of their value become secrets.
    package var variables: [OrderedJSON.Member] = []
    /// The names of variables that the source calls secret, with their values if it has them.
    package var secrets: [OrderedJSON.Member] = []
    package var headers: [OrderedJSON.Member] = []
    package var auth: OrderedJSON?
    /// Other keys that every layer may have.
    package var settings: [OrderedJSON.Member] = []

    package init(name: String? = nil, baseURL: String? = nil) {
        self.name = name
        self.baseURL = baseURL
    }
}

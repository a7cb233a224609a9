package import ReqcliText

/// The requests of a source in the notation of endpoint files, before the requests get ids, files and a common server.
///
/// The reader of a format makes this value. All strings are templates as in endpoint files: `{{name}}` is a param or a variable,
/// and a literal `{{` is escaped. Credentials are unchanged; the passes replace them later.
package struct ImportedAPI: Sendable {
    /// The name of the API. The outermost group gets this name.
    package var title: String?
    package var requests: [ImportedRequest] = []
    /// The environments of the source. The first environment is used if the user names no environment.
    package var environments: [ImportedEnvironment] = []
    /// The descriptions of groups, by the folders of the groups' requests.
    package var groupDescriptions: [[String]: String] = [:]
    /// Whether `export` has written the source. If so, servers, paths and the order of headers are already as in a workspace, and
    /// stay unchanged.
    package var isExported = false
    /// Whether the environments already have everything that requests share. If so, nothing else is moved to the environments.
    package var statesEnvironments = false
    /// The schema files to write below `schemas/`, by their names without extension.
    package var schemas: [OrderedJSON.Member] = []

    package init(title: String? = nil) { self.title = title }
}

/// One request of a source.
package struct ImportedRequest: Sendable {
    /// The place of the request in the source.
    package var place: Place
    /// The id of the endpoint from which `export` has made this request.
    package var id: String?
    /// The name that identifies the request in a newer source, such as an operationId. The name of the endpoint is also made from
    /// this key.
    package var key: String?
    /// The name of the request for people.
    package var name: String?
    /// The groups around the request, from the outermost to the innermost.
    package var folders: [String] = []
    /// The number of folders to go up from the request's file. File paths in the request are relative to the folder that is
    /// reached in this way, such as the root of a collection.
    package var filesAbove = 0
    package var description: String?
    package var tags: [String] = []
    package var method = "GET"
    /// The part of the URL before the path: `https://api.example.com/v1` or `{{baseUrl}}`. Nil if the environments of the source
    /// have the base.
    package var base: String?
    /// The path after the base, percent-encoded, with a `/` at its start.
    package var path = "/"
    package var query: ImportedQuery = .items([])
    /// The names of headers, each with a string, a list of strings, "" or null.
    package var headers: [OrderedJSON.Member] = []
    package var params: [ImportedParam] = []
    package var auth = ImportedAuth.inherited
    package var body: ImportedBody?
    /// The schema of a body in JSON, if the source gives it a name.
    package var bodySchema: OrderedJSON?
    /// Transfer settings by their names: `redirects.follow`.
    package var settings: [OrderedJSON.Member] = []
    package var captures: [ImportedCapture] = []
    var needs: [ImportedNeed] = []
    package var expect: OrderedJSON?
    /// The successful response, for a request of which nothing is expected.
    package var response: OrderedJSON?
    package var variants: [ImportedVariant] = []

    package init(at place: Place, method: String = "GET", base: String? = nil, path: String = "/") {
        self.place = place
        self.method = method
        self.base = base
        self.path = path
    }
}

/// The query of a request.
package enum ImportedQuery: Sendable, Equatable {
    /// The names of items, each with a string, a list of strings, or null.
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
    /// The name of the environment. If the name is nil, the values are written to the environment that the user names or uses.
    package var name: String?
    package var description: String?
    package var baseURL: String?
    /// The names and values of variables. If a name or the form of a value shows that the value is secret, the variable becomes a
    /// secret.
    package var variables: [OrderedJSON.Member] = []
    /// The names of variables that the source marks as secret, with their values if the source has them.
    package var secrets: [OrderedJSON.Member] = []
    package var auth = ImportedAuth.inherited
    /// Transfer settings by their names: `redirects.follow`.
    package var settings: [OrderedJSON.Member] = []

    package init(name: String? = nil, baseURL: String? = nil) {
        self.name = name
        self.baseURL = baseURL
    }
}

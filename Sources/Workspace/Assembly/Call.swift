import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliRedaction
package import ReqcliText
@_spi(Generated) package import RequestBuilding

/// A call: an endpoint in an environment, with values for its params and with overrides.
package struct Call: Sendable {
    package let workspace: Workspace
    package let endpoint: LocatedEndpoint
    package let environment: EnvironmentChain
    package var arguments: [ParameterArgument] = []
    /// A value that is sent for one param, even if the param doesn't allow it. It takes the place of the param's arguments.
    package var unchecked: UncheckedValue?
    package var overrides: [CommandLineOverride] = []
    /// Values that endpoints of `needs` have captured, by the alias of the endpoint and the name of the capture.
    package var captures: [String: [String: OrderedJSON]] = [:]
    /// The names of the captures whose values must not be shown, by the alias of the endpoint.
    package var secretCaptures: [String: Set<String>] = [:]
    /// The numbers that identify exchanges with needed endpoints, in the order of `needs`. The request sends the cookies from
    /// these exchanges.
    package var cookieSources: [Int] = []
    /// Whether this call passes the cookies that it receives on to the calls that need it.
    package var passesOnCookies = false
    /// The scenario that contains this call as a step. A stub with a sequence of responses counts the calls of each scenario
    /// separately.
    package var flow: String?
    /// Tells this call from the other calls of its endpoint in a run, because each has random values of its own: the check, the step,
    /// the params or the attempt.
    package var occasion = ""
    /// Masks secrets among the values of `arguments`, because a message about an argument quotes its value.
    package var redactor = Redactor([])
    /// Values that become known only during a run. A call is valid while they are still missing.
    package var awaited = AwaitedValues()
    /// Generated values that an earlier evaluation of the same request has used, and that this request uses again.
    package var drawn = DrawnValues()
    /// Files with more variables (`--env-file`). If several files define the same variable, the last file wins.
    package var environmentFiles: [String] = []
    /// Whether the content of the body's files is read; false if a request is only described.
    package var readsBodyFiles = true
    /// Whether each `$switch` is replaced by a stand-in, which is named after the `key` of the switch. True if other requests are
    /// compared with this call's request.
    package var leavesSwitchesOpen = false
    /// Whether a secret that can't be read has a stand-in. True for a call to which a stub responds, so that nothing is sent.
    package var mayLackSecrets = false
    /// The program's version, for its User-Agent.
    package var version = ""

    package init(workspace: Workspace, endpoint: LocatedEndpoint, environment: EnvironmentChain) {
        self.workspace = workspace
        self.endpoint = endpoint
        self.environment = environment
    }

    /// The body that the files define, without overrides.
    package var body: Body? { endpoint.body(in: environment.name) }

    /// The place of the GraphQL operation that the call sends, in a file or on the command line; nil if it sends none.
    package var graphQLPlace: Place? {
        if let place = endpoint.graphQLPlace(in: environment.name) { return place }
        let isTyped = overrides.contains { if case .members(let body) = $0.change { body.isGraphQL } else { false } }
        return isTyped ? endpoint.definition.place : nil
    }

    var capturedSecrets: [ResolvedSecret] {
        var secrets: [ResolvedSecret] = []
        for (alias, names) in secretCaptures {
            for name in names {
                for text in captures[alias]?[name]?.secretTexts ?? [] {
                    secrets.append(ResolvedSecret(name: "\(alias).\(name)", value: text, origin: .capture))
                }
            }
        }
        return secrets.sorted { $0.name < $1.name }
    }
}

/// Values that are unknown until another request has been sent.
package struct AwaitedValues: Sendable, Equatable {
    /// The names of the values that the endpoints in `needs` will capture, by the alias of the endpoint.
    package var captures: [String: Set<String>] = [:]
    /// Params whose values contain captures that are not known yet.
    package var parameters: Set<String> = []
    /// Whether the value of every placeholder is unknown.
    var isEverything = false
    /// Whether each capture is replaced by a stand-in. True for a request that is shown and never sent.
    package var areNamed = false

    package init() {}
}

/// A param's value that is sent even if the param doesn't allow it, to see how the server reacts.
package struct UncheckedValue: Sendable, Equatable {
    package let name: String
    /// Nil leaves the param out, even if it is required.
    package let value: OrderedJSON?

    package init(name: String, value: OrderedJSON?) {
        self.name = name
        self.value = value
    }
}

/// The value of a param as typed on the command line: `name=value` or `name@=FILE`.
package struct ParameterArgument: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        case text(String)
        /// The path of a file that contains the value; `-` is standard input.
        case file(String)
        /// A JSON value from a file of cases or a capture.
        case value(OrderedJSON)
    }

    package let name: String
    package let source: Source
    /// Whether the user typed the value. False for a value from a table of rows, for example.
    package let isTyped: Bool

    package init(name: String, source: Source, isTyped: Bool = true) {
        self.name = name
        self.source = source
        self.isTyped = isTyped
    }

    /// A JSON value that comes from a file or a capture and not from the command line.
    package init(name: String, value: OrderedJSON) {
        self.init(name: name, source: .value(value), isTyped: false)
    }

    /// Reads a word of the command line; nil if the word has no `=` after a name.
    package init?(_ word: String) {
        // Searches bytes, because a combining accent at the start of the value would form one character with the equals sign.
        guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")), equals > word.startIndex else { return nil }
        let left = word[..<equals]
        let right = String(word[word.utf8.index(after: equals)...])
        if left.hasSuffix("@") {
            guard left.count > 1 else { return nil }
            self.init(name: String(left.dropLast()), source: .file(right))
        } else {
            self.init(name: String(left), source: .text(right))
        }
    }
}

/// A part of the request that a flag changes; `flag` is the flag as it was typed.
package struct CommandLineOverride: Sendable {
    package enum Change: Sendable {
        case method(String)
        case path(String)
        /// The query of a URL, and items after it. Both are added to the existing query.
        case addedQuery(encoded: String?, [QueryItem])
        case members(TypedBody)
        case header(String, values: [String])
        case removedHeader(String)
        case query(String, values: [String])
        case body(text: String)
        /// The path of a file that contains the body; `-` is standard input.
        case bodyFile(String)
        case spooledInput(SpooledInput)
        /// Standard input, if it is a pipe or a file that isn't empty.
        case pipedBody
        case baseURL(String)
        case credentials(GivenCredentials)
        case transfer(TransferChange)
        /// A file, with a path relative to the current folder.
        case transferFile(TransferSetting<String>, path: String)

        package static func setting<Value>(_ key: TransferSetting<Value>, _ value: Value) -> Change {
            .transfer(key.to(value))
        }
    }

    /// Credentials in place of those of all files. The password and the token are secrets.
    package enum GivenCredentials: Sendable {
        case bearer(String)
        case basic(Account)
        case digest(Account)

        /// The user, if it is the secret: some services take a key as the user, with or without a password.
        package var secretUser: String? {
            switch self {
            case .bearer: nil
            case .basic(let account), .digest(let account): Self.isSecret(account) ? account.user : nil
            }
        }

        private static func isSecret(_ account: Account) -> Bool {
            account.password.isEmpty || LikelySecret.isIn(account.user)
        }

        package var secret: (name: String, value: String) {
            switch self {
            case .bearer(let token): ("token", token)
            case .basic(let account), .digest(let account): ("password", account.password)
            }
        }
    }

    package struct QueryItem: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let change: Change
    package let flag: String

    package init(_ change: Change, flag: String) {
        self.change = change
        self.flag = flag
    }
}

/// Standard input that was written to a file, because it is too large for memory.
package struct SpooledInput: Sendable, Hashable {
    package let path: String
    /// Whether the input begins and ends like a JSON object or array.
    package let isBracketed: Bool

    package init(path: String, isBracketed: Bool) {
        self.path = path
        self.isBracketed = isBracketed
    }

    /// Whether the bytes begin and end an object or an array.
    package static func areBrackets(_ first: UInt8?, _ last: UInt8?) -> Bool {
        switch (first, last) {
        case (.openBrace, .closeBrace), (.openBracket, .closeBracket): true
        default: false
        }
    }
}

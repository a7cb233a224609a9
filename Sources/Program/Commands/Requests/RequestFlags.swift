import Calling
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The flags of one call that change its request. A later change wins over an earlier change.
struct RequestFlags: Sendable {
    let endpoint: String
    /// The request that was typed in place of an endpoint's id.
    private(set) var typed: TypedRequest?
    var parameters: [ParameterArgument]
    /// Words after the endpoint that are not NAME=VALUE.
    private(set) var bareWords: [String] = []
    private(set) var overrides: [CommandLineOverride]
    /// The credentials that the command line gives.
    private(set) var credentials: CredentialFlags?
    let session: SessionFlags
    let environmentFiles: [String]
    let trust: TrustFlags
    var chosen: ChosenValues
    var mayAsk: Bool { trust.mayAsk }
    /// Whether the content of the body's files is read.
    let readsBodyFiles: Bool

    init(_ parsed: ParsedArguments, readsBodyFiles: Bool = true) throws(UsageError) {
        let words = parsed[RequestOptions.parameters]
        let endpoint = parsed[RequestOptions.endpoint]
        let typed = try TypedRequest(parsed)
        self.init(
            parsed, endpoint: typed?.name ?? endpoint,
            parameters: typed == nil ? words.compactMap { ParameterArgument($0) } : [], readsBodyFiles: readsBodyFiles)
        if let typed {
            self.typed = typed
            overrides = try typed.overrides(parsed) + Self.overrides(parsed, typed.headers)
        } else {
            bareWords = words.filter { ParameterArgument($0) == nil }
            try TypedRequest.refuseForm(parsed)
        }
    }

    /// Makes the flags for a command that gets no endpoint from its command line.
    init(
        _ parsed: ParsedArguments, endpoint: String, parameters: [ParameterArgument], readsBodyFiles: Bool = true
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.readsBodyFiles = readsBodyFiles
        overrides = Self.overrides(parsed)
        credentials = CredentialFlags(parsed)
        session = SessionFlags(parsed)
        environmentFiles = parsed[RequestOptions.environmentFiles]
        trust = TrustFlags(parsed)
        chosen = ChosenValues(parsed)
    }

    /// The flags for an endpoint that this call needs. They keep only the server and the way to reach it, because a user who
    /// names a server doesn't want credentials to go to another server. Other changes are for this call alone.
    var forNeeded: RequestFlags {
        var flags = self
        let isTypedURL = if case .server? = typed?.target { true } else { false }
        flags.credentials = nil
        flags.overrides.removeAll { override in
            switch override.change {
            // A typed URL is at the server of the environment, or there is no environment: the needs have the base path of files.
            case .baseURL: isTypedURL
            case .transfer(let change): !ConnectionOptions.addressing.contains(change.name)
            default: true
            }
        }
        return flags
    }

    /// The flags for the endpoint that a typed request becomes. The given values replace the typed words.
    func replaced(byValues values: [ParameterArgument]) -> RequestFlags {
        var flags = self
        flags.typed = nil
        flags.overrides = []
        flags.credentials = nil
        flags.parameters = values
        return flags
    }

    /// The flags for the endpoint that a typed request becomes, with those that an endpoint can't have.
    ///
    /// - Parameter hasServer: Whether the endpoint has the server.
    func unwritten(_ values: [ParameterArgument], withServer hasServer: Bool) -> RequestFlags {
        var flags = replaced(byValues: values)
        flags.overrides = overrides.filter { !$0.isWrittenInEndpoint(withServer: hasServer) }
        flags.credentials = credentials
        return flags
    }

    /// Whether some of the flags can replace a header or a query item that a file sets.
    var replaceFields: Bool {
        overrides.contains {
            switch $0.change {
            case .header, .removedHeader, .query: true
            default: false
            }
        }
    }

    /// The first method that may change something, of those with which the endpoint is called in these environments. A typed
    /// method replaces the endpoint's. Nil if all are safe.
    func unsafeMethod(of endpoint: LocatedEndpoint, in environments: [String]) -> String? {
        let typed = overrides.compactMap { if case .method(let method) = $0.change { method } else { nil } }
        let methods = typed.isEmpty ? environments.map { endpoint.method(in: $0) } : typed
        return methods.first { !HTTPMethod.isSafe($0) }
    }

    /// The files that the flags name for values of params and for the body, as typed.
    var readFiles: [String] {
        let bodies = overrides.flatMap { override -> [String] in
            switch override.change {
            case .bodyFile(let path): [path]
            case .pipedBody: ["-"]
            case .members(let body): body.files
            default: []
            }
        }
        return parameters.compactMap { if case .file(let path) = $0.source { path } else { nil } } + bodies
    }

    /// The flags with each word NAME==VALUE as a query item, as after a URL and like `-q`. If the endpoint has a param of this name,
    /// the word is its value, which then begins with an equals sign.
    func readingQuery(for endpoint: LocatedEndpoint) -> RequestFlags {
        var flags = self
        flags.parameters = []
        for argument in parameters {
            if case .text(let text) = argument.source, argument.isTyped, text.utf8.first == UInt8(ascii: "="),
                !endpoint.takes(argument.name)
            {
                flags.addQueryItem(argument.name, String(text.dropFirst()))
            } else {
                flags.parameters.append(argument)
            }
        }
        return flags
    }

    private mutating func addQueryItem(_ name: String, _ value: String) {
        for index in overrides.indices {
            guard case .query(name, let values) = overrides[index].change else { continue }
            overrides[index] = CommandLineOverride(
                .query(name, values: values + [value]), flag: overrides[index].flag)
            return
        }
        overrides.append(CommandLineOverride(.query(name, values: [value]), flag: "\(name)==…"))
    }

    /// The flags without the body from a pipe, if standard input is no pipe, or an empty one.
    func reading(_ world: World) -> RequestFlags {
        var flags = self
        flags.overrides.removeAll { override in
            guard case .pipedBody = override.change else { return false }
            return switch world.pipedInput(.zero) {
            case .nothing, .end: true
            case .bytes, .file, .silence: !mayAsk
            }
        }
        return flags
    }

    /// The flags if the token is read from standard input, which then is not the body.
    func leavingInputToToken() throws(Failure) -> RequestFlags {
        var flags = self
        flags.overrides.removeAll { if case .pipedBody = $0.change { true } else { false } }
        guard flags.readsInput else { return flags }
        throw Failure(
            .usage, code: .flagInvalid, "--bearer - and another part of the request both read standard input",
            hint: "keep the token in a file: --bearer @FILE")
    }

    /// Whether the body, or the value of a param, is read from standard input.
    var readsInput: Bool {
        readFiles.contains("-")
    }

    /// The flags for a request that is sent. A large body from standard input is read from a temporary file, so that memory
    /// doesn't grow with the body.
    func spoolingInput(_ world: World) throws(Failure) -> RequestFlags {
        let index = overrides.firstIndex(where: \.isStandardInput)
        // The code that makes the request reports a param that reads standard input, too.
        guard let index, !parameters.contains(where: { $0.source == .file("-") }) else { return self }
        let flag = overrides[index].flag
        do throws(FileProblem) {
            guard let input = try world.spooledInput(Workspace.largestFile) else { return self }
            var flags = self
            flags.overrides[index] = CommandLineOverride(.spooledInput(input), flag: flag)
            return flags
        } catch {
            throw Failure(.usage, code: .flagInvalid, "\(flag): cannot read standard input: \(error.reason)")
        }
    }

    private static func overrides(
        _ parsed: ParsedArguments, _ typedHeaders: [HeaderOverride] = []
    ) -> [CommandLineOverride] {
        var result: [CommandLineOverride] = []
        // The body comes before the headers, so that a Content-Type from a flag wins over the Content-Type that the body implies.
        if parsed.isDefined(RequestOptions.body), let body = parsed[RequestOptions.body] {
            switch body {
            case "-": result.append(CommandLineOverride(.bodyFile("-"), flag: "--body -"))
            case let file where file.hasPrefix("@"):
                result.append(CommandLineOverride(.bodyFile(String(file.dropFirst())), flag: "--body \(file)"))
            default: result.append(CommandLineOverride(.body(text: body), flag: "--body"))
            }
        }
        result += (typedHeaders + parsed[RequestOptions.header]).changes
        result += queryItems(parsed[RequestOptions.query])
        if let timeout = parsed[RequestOptions.timeout] {
            result += timeout.changes.map { CommandLineOverride(.transfer($0), flag: "--timeout") }
        }
        if let url = parsed[RequestOptions.baseURL] {
            result.append(CommandLineOverride(.baseURL(url), flag: "--base-url \(withoutUser(url))"))
        }
        return result + ConnectionOptions.overrides(parsed) + SendOptions.overrides(parsed)
    }

    /// The URL as messages may show it. A URL with a password is rejected later, with a message that names the flag.
    private static func withoutUser(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return url }
        return url[..<scheme.upperBound] + "…" + url[end...]
    }

    private static func queryItems(_ given: [QueryOverride]) -> [CommandLineOverride] {
        var order: [String] = []
        var values: [String: [String]] = [:]
        for item in given {
            if values[item.name] == nil { order.append(item.name) }
            values[item.name, default: []].append(item.value)
        }
        return order.map { CommandLineOverride(.query($0, values: values[$0] ?? []), flag: "-q \($0)=…") }
    }
}

extension LocatedEndpoint {
    /// Whether a call can set a value of this name: a param, or a captured value of a need.
    fileprivate func takes(_ name: String) -> Bool {
        parameters.contains { $0.name == name }
            || name.split(separator: ".").first.map { needs[named: String($0)] != nil } ?? false
    }
}

extension CommandLineOverride {
    /// Whether standard input is the body.
    var isStandardInput: Bool {
        switch change {
        case .bodyFile("-"), .pipedBody, .spooledInput: true
        default: false
        }
    }
}

extension [HeaderOverride] {
    /// The changes for the given headers. A header that is given twice is sent twice. Removing a header discards its earlier
    /// values.
    var changes: [CommandLineOverride] {
        var order: [String] = []
        var byName: [String: [HeaderOverride]] = [:]
        for header in self {
            let key = header.name.lowercased()
            if byName[key] == nil { order.append(key) }
            byName[key] = header.value == nil ? [header] : (byName[key] ?? []).filter { $0.value != nil } + [header]
        }
        return order.compactMap { key in
            guard let all = byName[key], let last = all.last else { return nil }
            let flag = "-H '\(last.name): …'"
            let values = all.compactMap(\.value)
            return values.isEmpty
                ? CommandLineOverride(.removedHeader(last.name), flag: "-H '\(last.name):'")
                : CommandLineOverride(.header(last.name, values: values), flag: flag)
        }
    }
}

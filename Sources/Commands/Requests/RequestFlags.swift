import Assembly
import CommandLineKit
import Definitions
import RequestBuilding

/// The flags of one call that change its request, in the order in which they win.
struct RequestFlags: Sendable {
    let endpoint: String
    private(set) var parameters: [ParameterArgument]
    /// Words that stand where params do and are none.
    private(set) var bareWords: [String] = []
    private(set) var overrides: [CommandLineOverride]
    let session: CallSession.Flags
    let environmentFiles: [String]
    let isTrusting: Bool
    let mayAsk: Bool
    /// Whether the content of the body's files is read.
    private(set) var readsBodyFiles = true

    init(_ parsed: ParsedArguments) {
        let words = parsed[RequestOptions.parameters]
        self.init(
            parsed, endpoint: parsed[RequestOptions.endpoint],
            parameters: words.compactMap { if case .parameter(let argument) = $0 { argument } else { nil } })
        bareWords = words.compactMap { if case .bare(let word) = $0 { word } else { nil } }
    }

    /// For a command that finds its endpoints by itself.
    init(_ parsed: ParsedArguments, endpoint: String, parameters: [ParameterArgument]) {
        self.endpoint = endpoint
        self.parameters = parameters
        overrides = Self.overrides(parsed)
        session = CallSession.Flags(parsed)
        environmentFiles = parsed[RequestOptions.environmentFiles]
        isTrusting = parsed[RequestOptions.trust]
        mayAsk = !parsed[RequestOptions.noInput]
    }

    /// For another endpoint of the same call: without what changes this request, but to the same server, wherever that
    /// is reached. Nobody who names a server wants credentials to go to another one.
    var forNeeded: RequestFlags {
        let server = overrides.filter {
            switch $0.change {
            case .baseURL: true
            case .transfer(let change): Self.addresses.contains(change.name)
            default: false
            }
        }
        return RequestFlags(
            endpoint: endpoint, parameters: parameters, overrides: server, session: session,
            environmentFiles: environmentFiles, isTrusting: isTrusting, mayAsk: mayAsk)
    }

    /// Whether some of them can take the place of a header or a query item that a file gives.
    var replaceFields: Bool {
        overrides.contains {
            switch $0.change {
            case .header, .removedHeader, .query: true
            default: false
            }
        }
    }

    /// The settings that say where a server is reached.
    private static let addresses = [TransferSetting.unixSocket.name, TransferSetting.resolvedHosts.name]

    /// These flags with more params.
    func adding(_ more: [ParameterArgument]) -> RequestFlags {
        var flags = self
        flags.parameters += more
        return flags
    }

    /// These flags for a command that names the body's files without reading them.
    var describing: RequestFlags {
        var flags = self
        flags.readsBodyFiles = false
        return flags
    }

    /// The same for a request that is sent: a body from standard input comes from a file where it is large, so that memory
    /// doesn't grow with it.
    func spoolingInput(_ world: World) throws(Failure) -> RequestFlags {
        let index = overrides.firstIndex { if case .bodyFile("-") = $0.change { true } else { false } }
        // That two things read one input is told where the request is made.
        guard let index, !parameters.contains(where: { $0.source == .file("-") }) else { return self }
        let flag = overrides[index].flag
        do throws(FileProblem) {
            guard let input = try world.spooledInput(Workspace.largestFile) else { return self }
            var flags = self
            flags.overrides[index] = CommandLineOverride(.spooledInput(input), flag: flag)
            return flags
        } catch {
            throw Failure(.usage, code: .flagInvalid, "\(flag): standard input can't be read: \(error.reason)")
        }
    }

    private init(
        endpoint: String, parameters: [ParameterArgument], overrides: [CommandLineOverride],
        session: CallSession.Flags, environmentFiles: [String], isTrusting: Bool, mayAsk: Bool
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.overrides = overrides
        self.session = session
        self.environmentFiles = environmentFiles
        self.isTrusting = isTrusting
        self.mayAsk = mayAsk
    }

    private static func overrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        var result: [CommandLineOverride] = []
        // Before the headers: a Content-Type that is given wins over the one that a body implies.
        if parsed.isDefined(RequestOptions.body), let body = parsed[RequestOptions.body] {
            switch body {
            case "-": result.append(CommandLineOverride(.bodyFile("-"), flag: "--body -"))
            case let file where file.hasPrefix("@"):
                result.append(CommandLineOverride(.bodyFile(String(file.dropFirst())), flag: "--body \(file)"))
            default: result.append(CommandLineOverride(.body(text: body), flag: "--body"))
            }
        }
        result += headers(parsed[RequestOptions.header])
        result += queryItems(parsed[RequestOptions.query])
        if let timeout = parsed[RequestOptions.timeout] {
            result.append(CommandLineOverride(.setting(.totalTimeout, timeout), flag: "--timeout"))
        }
        if let url = parsed[RequestOptions.baseURL] {
            result.append(CommandLineOverride(.baseURL(url), flag: "--base-url \(withoutUser(url))"))
        }
        return result + ConnectionOptions.overrides(parsed) + SendOptions.overrides(parsed)
    }

    /// The URL as it may be shown: one with a password is refused, in words that name the flag.
    private static func withoutUser(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return url }
        return url[..<scheme.upperBound] + "…" + url[end...]
    }

    /// A name that is given twice is sent twice; a removal forgets what stood before it.
    private static func headers(_ given: [HeaderOverride]) -> [CommandLineOverride] {
        var order: [String] = []
        var byName: [String: [HeaderOverride]] = [:]
        for header in given {
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

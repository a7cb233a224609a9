import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A request that is typed in place of an endpoint's id: `POST https://api.example.com/users name=Ada age:=36 page==2`.
struct TypedRequest: Sendable, Equatable {
    enum Target: Sendable, Equatable {
        /// `http://host:port`, without anything from an environment.
        case server(String)
        /// The server of the environment.
        case environment
    }

    let target: Target
    /// The method as typed; nil if no method was typed.
    let method: String?
    /// The path; nil for the server itself.
    let path: String?
    let query: String?
    let items: [Item]

    /// One word after the target.
    enum Item: Sendable, Equatable {
        case query(name: String, value: String)
        case member(TypedBody.Member)
        case header(HeaderOverride)
    }

    /// The name of the request in messages: its target without the query.
    var name: String {
        switch target {
        case .server(let server): server + (path ?? "")
        case .environment: path ?? "/"
        }
    }

    /// Reads the words of a command line.
    ///
    /// - Returns: Nil if the first word is an endpoint's id.
    init?(_ parsed: ParsedArguments) throws(UsageError) {
        do throws(UsageError) {
            try self.init(parsed[RequestOptions.endpoint], parsed[RequestOptions.parameters])
        } catch {
            // `-H Accept: text/plain` without quotes removes a header, and has a word too many.
            let name = parsed.isDefined(RequestOptions.header) ? parsed[RequestOptions.header].last : nil
            if let name, name.value == nil, let stray = error.problems.first, stray.hint == Self.itemHint {
                let hint = "quote a header: -H '\(name.name): VALUE'"
                throw UsageError([.init(stray.message, hint: hint)], command: parsed.command.name)
            }
            throw UsageError(error.problems, command: parsed.command.name)
        }
    }

    /// The position of the URL or path among the words of a command line; nil if the first word is an endpoint's id.
    static func targetIndex(_ parsed: ParsedArguments) throws(UsageError) -> Int? {
        guard try TypedRequest(parsed) != nil, let first = parsed.positionals.first else { return nil }
        return isTarget(first) ? 0 : 1
    }

    private init?(_ first: String, _ words: [String]) throws(UsageError) {
        if Self.isTarget(first) {
            try self.init(method: nil, target: first, words[...])
        } else if let next = words.first, Self.isTarget(next), Self.isMethod(first) {
            try self.init(method: first, target: next, words.dropFirst())
        } else if let next = words.first, Self.isURL(next), let method = HTTPMethods.standard(near: first) {
            throw UsageError("\"\(first)\" is not a method", hint: "did you mean \(method)?")
        } else if let next = words.first, HTTPMethod.standard.contains(where: { $0.token == first }),
            Name.isValidID(next), next.contains(".")
        {
            throw UsageError(
                "\(first) can't be given with an endpoint: the file of \(next) sets the method",
                hint: "leave out \(first)")
        } else if first.hasPrefix("{{") {
            throw UsageError(
                "\"\(first)\" has a placeholder, which only files have",
                hint: "write a path on the environment's server, such as /users")
        } else if first.hasPrefix("{") || first.hasPrefix("[") {
            // The text may hold a secret, so the message doesn't show it.
            throw UsageError(
                "expected an endpoint or a URL; found JSON",
                hint:
                    "write the body after the URL, as name=TEXT name:=JSON or --body JSON; --json only prints the response as JSON"
            )
        } else if let word = Self.targetWithoutScheme(first, words.first) {
            let host = word.prefix { $0 != "/" }
            if host.contains("@") { throw Self.userInURL }
            if let colon = host.firstIndex(of: ":"), host.endIndex < word.endIndex,
                host[..<colon].contains(".") || host.hasPrefix("localhost:")
            {
                throw UsageError("\"\(host[host.index(after: colon)...])\" is not a port: expected 1 to 65535")
            }
            throw UsageError(
                "\"\(word)\" is neither an endpoint's id nor a URL", hint: Self.hint(forSchemeOf: word))
        } else if words.isEmpty, HTTPMethod.standard.contains(where: { $0.token == first }) {
            throw UsageError(
                "\(first) needs a URL or a path", hint: "write for example: \(first) https://example.com/users")
        } else if first.hasPrefix("localhost:"), !first.contains("@") {
            throw UsageError("\"\(first.dropFirst("localhost:".count))\" is not a port: expected 1 to 65535")
        } else {
            return nil
        }
    }

    private init(method: String?, target word: String, _ words: ArraySlice<String>) throws(UsageError) {
        // Splits scalars and not characters. An accent after a mark would form one character with the mark.
        let address = Substring(word.unicodeScalars.prefix { $0 != "#" })
        let beforeQuery = Substring(address.unicodeScalars.prefix { $0 != "?" })
        let queryMark = address.unicodeScalars[beforeQuery.endIndex...]
        query = queryMark.isEmpty ? nil : String(queryMark.dropFirst())
        if beforeQuery.hasPrefix("/") {
            target = .environment
            path = String(beforeQuery)
        } else {
            let mark = Self.hasScheme(word) ? beforeQuery.firstRange(of: "://") : nil
            let scheme = mark.map { beforeQuery[..<$0.upperBound] } ?? "http://"
            let rest = beforeQuery.hasPrefix(scheme) ? beforeQuery.dropFirst(scheme.count) : beforeQuery
            let authority = Substring(rest.unicodeScalars.prefix { $0 != "/" })
            if authority.unicodeScalars.contains("@") { throw Self.userInURL }
            // `:8080` and `:` are at localhost.
            let isShort = authority.utf8.first == UInt8(ascii: ":")
            target = .server("\(scheme)\(isShort ? "localhost" : "")\(authority == ":" ? "" : authority)")
            path = authority.endIndex == rest.endIndex ? nil : String(rest[authority.endIndex...])
        }
        self.method = method.map { $0.allSatisfy { $0.isLowercase } ? $0.uppercased() : $0 }
        var items: [Item] = []
        for (word, previous) in zip(words, [nil] + words.map(Optional.some)) {
            do throws(UsageError) { items.append(try Item(word)) } catch {
                throw error.problems.first?.hint == Self.itemHint ? Self.stray(word, after: previous) : error
            }
        }
        self.items = items
    }

    static let itemHint =
        "write name=text, name:=JSON, name==text for the query, Name:value for a header, or name@=FILE"

    /// The error for a word that is neither a header nor a part of the query or the body.
    private static func stray(_ word: String, after previous: String?) -> UsageError {
        let hint: String
        if word.hasPrefix("—") || word.hasPrefix("–") {
            hint = "an option begins with hyphens: --\(word.drop { "—–-".contains($0) })"
        } else if word.hasPrefix("@") {
            hint = "to send a file as the body, write --body \(word)"
        } else if isStandardMethod(word), word == word.uppercased() {
            hint = "write the method before the URL"
        } else if let previous, let parts = Item.parts(of: previous), parts.mark == "=", !word.contains("/") {
            // The message doesn't show a secret.
            let isSecret = LikelySecret.isSecret(parts.name, parts.value)
            hint =
                "quote a value with spaces: "
                + (isSecret ? "'\(parts.name)=…'" : ShellQuoting.quoted("\(previous) \(word)"))
        } else if let dot = word.lastIndex(of: "."), (1...5).contains(word[dot...].dropFirst().utf8.count) {
            hint = "to send a file as the body, write --body @\(word)"
        } else {
            hint = itemHint
        }
        return UsageError("\"\(word)\" is not valid after a URL or a path", hint: hint)
    }

    /// Whether a word is a standard method, in any case.
    static func isStandardMethod(_ word: String) -> Bool {
        HTTPMethod.standard.contains { $0.token == word.uppercased() }
    }

    private static let userInURL = UsageError(
        "a URL on the command line cannot hold a user name or a password",
        hint: "write them as --auth USER:PASSWORD, or use --netrc")

    /// A URL with a scheme in place of a word without one, or with a misspelt one such as `http:/` or `http//`.
    private static func hint(forSchemeOf word: String) -> String {
        for scheme in ["https", "http"] {
            let rest = word.dropFirst(scheme.count)
            guard word.hasPrefix(scheme), let mark = rest.utf8.first, ":/".utf8.contains(mark) else { continue }
            return "did you mean \(scheme)://\(rest.drop { $0 == ":" || $0 == "/" })?"
        }
        let id = word.replacing("/", with: ".")
        let isLikeID = !word.contains(".") && !word.contains(":") && Name.isValidID(id)
        if word.hasSuffix(".json") {
            return "\"reqcli list\" shows the ids of endpoints; a path on the server begins with a slash"
        }
        let server = "a URL has a scheme: https://\(word)"
        return isLikeID
            ? "an endpoint's id has dots: \(id); a path on the environment's server begins with a slash: /\(word); \(server)"
            : server
    }

    /// The word that was probably meant as a URL: one with a slash, behind a method or alone.
    private static func targetWithoutScheme(_ first: String, _ second: String?) -> String? {
        func isPath(_ word: String) -> Bool { word.contains("/") && !word.contains("=") }
        if isPath(first) { return first }
        return second.flatMap { isInCapitals(first) && isPath($0) ? $0 : nil }
    }

    /// Whether the first words of a command line can only be a request: a URL, a method and a URL, or an endpoint's id with a dot.
    /// No command has such a name, and none ever will: names of commands are lower-case words without dots.
    static func beginsLine(_ words: [String]) -> Bool {
        guard let last = words.last else { return false }
        let hasSlash = last.utf8.contains(UInt8(ascii: "/"))
        if words.count == 2 { return isInCapitals(words[0]) && (hasSlash || isTarget(last)) }
        return words.count == 1
            && (isTarget(last) || Name.isValidID(last) && last.utf8.contains(UInt8(ascii: "."))
                || hasSlash && !last.utf8.contains(UInt8(ascii: "=")))
    }

    /// Whether a word is a method: a word in capitals, or a standard method in any case. Any other word may be an endpoint's id.
    static func isMethod(_ word: String) -> Bool {
        isInCapitals(word) || isStandardMethod(word)
    }

    private static func isInCapitals(_ word: String) -> Bool {
        word.isToken && word.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x41...0x5A).contains($0) }
            && word.utf8.first != UInt8(ascii: "-")
    }

    /// Whether a word begins like a URL, with a scheme. A param's value may hold a URL, too: `next=https://…`.
    private static func hasScheme(_ word: String) -> Bool {
        guard let mark = word.firstRange(of: "://") else { return false }
        let scheme = word[..<mark.lowerBound]
        return !scheme.isEmpty && scheme.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    /// Whether a word is a URL, with a scheme or as a local server. A path may also be the path of a file.
    static func isURL(_ word: String) -> Bool { !word.hasPrefix("/") && isTarget(word) }

    /// Whether a word is a URL, a path, or a local server such as `localhost:8080/x` or `:8080/x`. No endpoint has such an id.
    private static func isTarget(_ word: String) -> Bool {
        if word.hasPrefix("/") || Self.hasScheme(word) { return true }
        let host = word.prefix { !"/?#".contains($0) }
        if host == "localhost" || host == ":" { return host.endIndex < word.endIndex }
        guard let colon = host.lastIndex(of: ":") else { return false }
        let port = host[host.index(after: colon)...]
        return !port.isEmpty && port.utf8.allSatisfy(\.isDigit)
            && host[..<colon].utf8.allSatisfy { $0.isAlphanumeric || ".-_[]:".utf8.contains($0) }
    }
}

extension TypedRequest.Item {
    /// The marks between name and value. If two marks begin at the same place, the longer mark counts.
    private static let marks = ["==", ":=", "@=", "=", "@"]
    /// Between the name and the value of a header.
    static let headerMark = ":"

    /// The name, the mark and the value; nil if the word has no name before a mark.
    static func parts(of word: String) -> (name: String, mark: String, value: String)? {
        if let header = header(in: word) { return (header.name, headerMark, header.value ?? "") }
        let bytes = Array(word.utf8)
        for index in bytes.indices {
            guard let mark = marks.first(where: { bytes[index...].starts(with: $0.utf8) }) else { continue }
            let name = String(decoding: bytes[..<index], as: UTF8.self)
            return name.isEmpty
                ? nil : (name, mark, String(decoding: bytes[(index + mark.utf8.count)...], as: UTF8.self))
        }
        return nil
    }

    /// A header such as `Accept:text/plain`. If the word has another mark, as in `Accept:text/plain;q=0.5`, it is one only if it
    /// begins with a capital letter, or with the name of a header that everybody knows: `start:time=9` is a member of the body.
    private static func header(in word: String) -> HeaderOverride? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), word[..<colon].isToken,
            word.utf8[word.utf8.index(after: colon)...].first != UInt8(ascii: "="),
            !word[colon...].hasPrefix("://"), !isServer(word)
        else { return nil }
        let name = word[..<colon].lowercased()
        let isKnown = word.utf8.first.map { (0x41...0x5A).contains($0) } ?? false || LikelySecret.isHeader(name)
        let isHeader = isKnown || knownHeaders.contains(name) || name.hasPrefix("x-")
        return isHeader || !word.utf8.contains { "=@".utf8.contains($0) } ? try? HeaderOverride(word) : nil
    }

    /// Whether a word is a second URL such as `localhost:8080/x` or `10.0.0.1:80`, and not a header.
    private static func isServer(_ word: String) -> Bool {
        guard TypedRequest.isURL(word) else { return false }
        let host = word.prefix { $0 != ":" }
        return host == "localhost" || host.contains(".")
    }

    private static let knownHeaders: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-type", "forwarded",
        "if-match", "if-modified-since", "if-none-match", "if-range", "link", "origin", "prefer", "range", "referer",
        "user-agent",
    ]

    init(_ word: String) throws(UsageError) {
        if let header = Self.header(in: word) {
            self = .header(header)
            return
        }
        if let (name, mark, value) = Self.parts(of: word) {
            switch mark {
            case "==": self = .query(name: name, value: value)
            case ":=":
                guard let root = JSONDocument.read(SourceFile(name: name, bytes: Array(value.utf8))).validRoot else {
                    // The message doesn't show a secret.
                    if LikelySecret.isSecret(name, value) {
                        throw UsageError("\(name):= takes JSON", hint: "for text write \(name)=TEXT")
                    }
                    throw UsageError(
                        "\(name):= takes JSON; found \"\(value)\"",
                        hint: value.hasPrefix("@")
                            ? "for the text of a file write \(ShellQuoting.quoted("\(name)@=\(value.dropFirst())"))"
                            : "for text write \(ShellQuoting.quoted("\(name)=\(value)"))")
                }
                self = .member(TypedBody.Member(name: name, value: .json(OrderedJSON(root))))
            case "@=": self = .member(TypedBody.Member(name: name, value: .textOfFile(value)))
            case "@": self = .member(TypedBody.Member(name: name, value: Self.upload(value)))
            default: self = .member(TypedBody.Member(name: name, value: .text(value)))
            }
            return
        }
        if TypedRequest.isURL(word) {
            throw UsageError(
                "a request has one URL; \"\(word)\" is a second one",
                hint: "run it once for each, write a list such as http://h/{a,b}, or compare them: reqcli diff URL URL")
        }
        if word.hasPrefix("{") || word.hasPrefix("[") {
            throw UsageError(
                "\"\(word)\" is not valid after a URL or a path", hint: "write a whole body as --body TEXT")
        }
        throw UsageError(
            "\"\(word)\" is not valid after a URL or a path", hint: TypedRequest.itemHint)
    }

    /// A file to upload, with its type if the word ends with one: `a.bin;type=image/png`.
    private static func upload(_ text: String) -> TypedBody.Value {
        guard let mark = text.ranges(of: ";type=").last, text[mark.upperBound...].contains("/") else {
            return .upload(text)
        }
        return .upload(String(text[..<mark.lowerBound]), type: String(text[mark.upperBound...]))
    }
}

extension TypedRequest {
    /// Throws if `--form` is given with an endpoint, because the endpoint's file defines the body.
    static func refuseForm(_ parsed: ParsedArguments) throws(UsageError) {
        guard parsed[RequestOptions.form] else { return }
        throw UsageError(
            "--form can only be used with a URL or a path; \"\(parsed[RequestOptions.endpoint])\" is an endpoint",
            hint: "set \"form\" in the \"body\" of the endpoint's file", command: parsed.command.name)
    }

    var headers: [HeaderOverride] { items.compactMap { if case .header(let header) = $0 { header } else { nil } } }

    /// The words as changes to an empty endpoint, except the headers.
    func overrides(_ parsed: ParsedArguments) throws(UsageError) -> [CommandLineOverride] {
        if let problem = contradiction(parsed) { throw UsageError([problem], command: parsed.command.name) }
        var members: [TypedBody.Member] = []
        var queryItems: [CommandLineOverride.QueryItem] = []
        for item in items {
            switch item {
            case .header: break
            case .member(let member): members.append(member)
            case .query(let name, let value): queryItems.append(CommandLineOverride.QueryItem(name: name, value: value))
            }
        }
        // Only a form can upload a file.
        let isForm =
            parsed[RequestOptions.form] || members.contains { if case .upload = $0.value { true } else { false } }
        let hasBody = parsed[RequestOptions.body] != nil
        let hasMembers = !members.isEmpty || isForm
        let standard = hasMembers || hasBody ? "POST" : "GET"
        var result = [CommandLineOverride(.method(method ?? standard), flag: method ?? name)]
        if case .server(let server) = target { result.append(CommandLineOverride(.baseURL(server), flag: name)) }
        if let path { result.append(CommandLineOverride(.path(path), flag: name)) }
        if query != nil || !queryItems.isEmpty {
            let flag = query == nil ? queryItems.map { "\($0.name)==…" }.joined(separator: " ") : "\(name)?…"
            result.append(CommandLineOverride(.addedQuery(encoded: query, queryItems), flag: flag))
        }
        if hasMembers {
            let body = TypedBody(members: members, isForm: isForm)
            if let name = body.misplaced {
                throw UsageError(
                    "\(name)=… has no place in the JSON body", hint: Self.placeHint, command: parsed.command.name)
            }
            let flag = members.isEmpty ? "--form" : members.map { "\($0.name)=…" }.joined(separator: " ")
            result.append(CommandLineOverride(.members(body), flag: flag))
        }
        // Only these methods are sent with a body. Everything else leaves standard input to the loop or the script around it.
        if !hasMembers, !hasBody, let method, ["POST", "PUT", "PATCH"].contains(self.method) {
            result.append(CommandLineOverride(.pipedBody, flag: "\(method) and standard input"))
        }
        return result
    }

    private static let placeHint =
        "a[b]=… needs an object at a, a[]=… and a[0]=… a list; for brackets in a name, write a backslash before them"

    private func contradiction(_ parsed: ParsedArguments) -> UsageError.Problem? {
        let isForm = parsed[RequestOptions.form]
        let hasBody = parsed[RequestOptions.body] != nil
        if case .server = target, parsed[RequestOptions.baseURL] != nil {
            return .init("--base-url and a URL contradict each other", hint: "write only the path, such as /users")
        }
        if hasBody, isForm { return .init("--body and --form contradict each other", hint: "keep one of them") }
        for case .member(let member) in items where hasBody {
            return .init("--body and \(member.name)=… contradict each other", hint: "keep one of them")
        }
        return nil
    }
}

import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The words of a command line that repeats a call: its target, its params, and the flags that change the request or its
/// transfer. Secret values are left out.
struct KeptCall: Sendable, Equatable {
    /// A word of the command line.
    struct Word: Sendable, Equatable {
        /// The whole word. If the value is left out, the part of the word before its value.
        let text: String
        /// Whether the value is left out, because it is a secret or looks like a secret.
        var lacksValue = false
    }

    /// An endpoint's id, or the method and the URL of a request without an endpoint.
    let target: [String]
    let words: [Word]
    let options: [Word]

    /// Whether the target is a URL or a path. A URL or a path contains `/` or `:`. An endpoint's id contains neither.
    var isTyped: Bool { target.last.map { $0.contains("/") || $0.contains(":") } ?? false }

    /// The call as a person reads it, without its environment.
    var text: String {
        let words = words + options.filter { Self.key(ofOption: $0.text) != "--env" }
        return
            (target.map(ShellQuoting.quoted)
            + words.map { $0.lacksValue ? "\($0.text)…" : ShellQuoting.quoted($0.text) })
            .joined(separator: " ")
    }
}

// MARK: - Keeping

extension KeptCall {
    /// The options that say what is sent and how it is transferred. Options that only concern the response are not kept, and
    /// neither are options by which the user agrees to one call.
    private static let options: Set<String> = {
        let groups = [
            RequestOptions.changes, ConnectionOptions.group, SendOptions.streaming, SendOptions.described,
        ]
        let more = [
            RequestOptions.environmentFiles.spec, RequestOptions.seed.spec, RequestOptions.time.spec,
            StubChoice.option.spec, SendOptions.keep.spec,
        ]
        return Set((groups.flatMap(\.options) + more).map(\.name))
    }()

    /// Reads the words of a call, without its secrets.
    ///
    /// - Parameter secrets: Receives the values that are left out.
    init(_ arguments: ParsedArguments, _ assembled: AssembledRequest, _ typed: TypedRequest?, _ secrets: inout Secrets)
    {
        let environment = assembled.call.environment.name
        if let typed {
            let count = typed.method == nil ? 1 : 2
            target = Array(arguments.positionals.prefix(count))
            words = arguments.positionals.dropFirst(count).map { secrets.word(typed: $0) }
        } else {
            let call = assembled.call
            target = [call.endpoint.id]
            let names = Set(call.arguments.map(\.name))
            // Query items: `page==2`.
            let items = arguments.positionals.dropFirst().filter { word in
                ParameterArgument(word).map { !names.contains($0.name) } ?? false
            }
            words =
                call.arguments.map { secrets.word($0, isSecret: call.endpoint.isSecret($0.name)) }
                + items.map { secrets.word(typed: $0) }
        }
        options =
            (environment.isEmpty ? [] : [Word(text: "--env=\(environment)")])
            + arguments.givenOptions.filter { Self.options.contains($0.name) }.map { secrets.option($0) }
            + (arguments[RequestOptions.body] == nil && assembled.call.overrides.contains { $0.isStandardInput }
                ? [Word(text: "--body=-")] : [])
    }

    /// Collects the values of a call that must not be kept.
    struct Secrets {
        let redactor: Redactor
        /// The values that look like secrets, each with its name.
        private(set) var guessed: [Redactor.Secret] = []

        init(_ redactor: Redactor) { self.redactor = redactor }

        /// The minimum length of a secret. Masking shorter values would make everything unreadable.
        private static let shortest = 4

        mutating func add(_ name: String, _ value: String) {
            // The secret of a header such as "Bearer abc" is its second word.
            let parts = [value, value.split(separator: " ").last.map(String.init) ?? ""]
            guessed += Set(parts).filter { $0.utf8.count >= Self.shortest }.map {
                Redactor.Secret(label: name, value: $0)
            }
        }

        private mutating func word(_ start: String, _ name: String, _ value: String, isSecret: Bool) -> Word {
            let word = start + value
            let parts = name.split { $0 == "[" || $0 == "]" }
            let isFound =
                isSecret || LikelySecret.isIn(value) || redactor.redact(word) != word
                || !SecretScan.secrets(in: value).isEmpty
                || parts.contains { LikelySecret.isSecret(String($0), value) }
            guard isFound, !value.isEmpty else { return Word(text: word) }
            add(name, value)
            return Word(text: start, lacksValue: true)
        }

        mutating func word(_ argument: ParameterArgument, isSecret: Bool) -> Word {
            let name = argument.name
            switch argument.source {
            case .text(let text):
                return word("\(name)=", name, text, isSecret: isSecret || LikelySecret.isSecret(name, text))
            case .file(let path): return word("\(name)@=", name, path, isSecret: false)
            case .value(let value):
                let text = value.plainText
                return word("\(name)=", name, text, isSecret: isSecret || LikelySecret.isSecret(name, text))
            }
        }

        mutating func word(typed text: String) -> Word {
            guard let (name, mark, value) = TypedRequest.Item.parts(of: text) else { return Word(text: text) }
            if mark == TypedRequest.Item.headerMark {
                return word(
                    "\(name):", name, value, isSecret: LikelySecret.isHeader(name) || LikelySecret.isSecret(name, value)
                )
            }
            // The value after these marks is the path of a file.
            if mark == "@" || mark == "@=" { return word(name + mark, name, value, isSecret: false) }
            let json = mark == ":=" ? OrderedJSON(text: value) : nil
            let isSecret = LikelySecret.isSecret(name, value) || json.map { LikelySecret.isIn($0) } ?? false
            if let json { SecretScan.secrets(in: json).forEach { add($0.name, $0.value) } }
            return word(name + mark, name, value, isSecret: isSecret)
        }

        mutating func option(_ option: GivenOption) -> Word {
            guard let value = option.value else { return Word(text: option.word) }
            let start = "--\(option.name)="
            switch option.name {
            case RequestOptions.header.spec.name, ConnectionOptions.proxyHeader.spec.name:
                guard let mark = value.utf8.firstIndex(of: UInt8(ascii: ":")) else { break }
                let name = String(value[..<mark])
                let text = value[value.utf8.index(after: mark)...].trimmingSpacesAndTabs
                // Without a value, the word removes the header.
                if text.isEmpty { break }
                return word(
                    "\(start)\(name): ", name, String(text),
                    isSecret: LikelySecret.isHeader(name) || LikelySecret.isSecret(name, String(text)))
            // Without its secret, the option asks for it.
            case RequestOptions.account.spec.name:
                let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let user = String(parts[0])
                if parts.count == 2 { add("password", String(parts[1])) }
                if LikelySecret.isIn(user) || parts.last?.isEmpty == true {
                    add("user", user)
                    return Word(text: start, lacksValue: true)
                }
                return Word(text: start + user)
            case RequestOptions.bearer.spec.name:
                if value == "-" || value.hasPrefix("@") { return Word(text: option.word) }
                add("token", value)
                return Word(text: start, lacksValue: true)
            case RequestOptions.query.spec.name:
                guard let mark = value.utf8.firstIndex(of: UInt8(ascii: "=")) else { break }
                let (name, text) = (String(value[..<mark]), String(value[value.utf8.index(after: mark)...]))
                return word("\(start)\(name)=", name, text, isSecret: LikelySecret.isSecret(name, text))
            case RequestOptions.body.spec.name where value != "-" && !value.hasPrefix("@"):
                let found = SecretScan.secrets(in: value)
                found.forEach { add($0.name, $0.value) }
                return word(start, "body", value, isSecret: !found.isEmpty)
            default: break
            }
            return word(start, option.name, value, isSecret: false)
        }
    }
}

extension LocatedEndpoint {
    fileprivate func isSecret(_ name: String) -> Bool { parameters[named: name]?.isSecret ?? false }
}

extension OrderedJSON {
    /// Nil for a string that is not JSON.
    init?(text: String) {
        guard let root = JSONDocument.read(SourceFile(name: "value", text: text)).validRoot else { return nil }
        self.init(root)
    }
}

// MARK: - Making a call again

extension KeptCall {
    /// The words of a command line that repeats the call. Options and params in `new` replace those of the recorded call.
    ///
    /// - Parameters:
    ///   - new: The options and the params of the new command line.
    ///   - value: Returns the value for a word whose value was left out.
    func line(
        _ new: (options: [GivenOption], words: [String]), value: (Word) throws(Failure) -> String
    ) throws(Failure) -> [String] {
        let newOptions = Set(new.options.map { Self.key(ofOption: $0.word) })
        let newWords = Set(new.words.map(key))
        var line = ["send"] + new.options.map(\.word)
        for option in options where !newOptions.contains(Self.key(ofOption: option.text)) {
            line.append(try option.text + (option.lacksValue ? value(option) : ""))
        }
        line += ["--"] + target
        for word in words where !newWords.contains(key(of: word.text)) {
            line.append(try word.text + (word.lacksValue ? value(word) : ""))
        }
        return line + new.words
    }

    /// The name to which a word gives a value. If two words have the same name, the later word replaces the earlier word.
    private func key(of word: String) -> String {
        if !isTyped { return ParameterArgument(word)?.name ?? word }
        guard let (name, mark, _) = TypedRequest.Item.parts(of: word) else { return word }
        return mark == "==" || mark == TypedRequest.Item.headerMark ? name + mark : name
    }

    /// The key of an option: its name, and for headers and query items also the name of the header or the item.
    private static func key(ofOption word: String) -> String {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts[0].dropFirst(2) {
        case RequestOptions.header.spec.name[...], ConnectionOptions.proxyHeader.spec.name[...]:
            return "\(parts[0])=\(value.prefix { $0 != ":" && $0 != ";" }.lowercased())"
        case RequestOptions.query.spec.name[...]: return "\(parts[0])=\(value.prefix { $0 != "=" })"
        // One kind of credentials replaces another.
        case RequestOptions.account.spec.name[...], RequestOptions.digest.spec.name[...],
            RequestOptions.bearer.spec.name[...]:
            return "--auth"
        default: return parts[0].replacing(/^--no-/, with: "--")
        }
    }
}

extension TypedRequest {
    /// The first part of the typed URL that looks like a secret; nil if there is none. A value after the URL can be left out of a
    /// recorded call, but a part of the URL can't.
    var secretInURL: SecretInURL? {
        let items = (query ?? "").split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1).map { PercentEncoding.decoded($0) }
            return (name: sides.first ?? "", value: sides.count > 1 ? sides[1] : "")
        }
        return SecretInURL(path: path ?? "", query: items)
    }
}

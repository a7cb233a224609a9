import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// `--auth`, `--digest` and `--bearer`. A token is read from a file or a pipe, or the user is asked for it or for a password that is
/// missing, but only once.
final class CredentialFlags: Sendable {
    private let user: String?
    private let isDigest: Bool
    /// The file that has the token; `-` is standard input.
    private let file: String?
    private let secret: Mutex<String?>

    /// Nil if the command has no such options, or none is given.
    init?(_ parsed: ParsedArguments) {
        guard parsed.isDefined(RequestOptions.account) else { return nil }
        let (account, token) = (parsed[RequestOptions.account], parsed[RequestOptions.bearer])
        guard account != nil || token != nil else { return nil }
        user = account?.user
        isDigest = parsed[RequestOptions.digest]
        switch token {
        case "-": file = "-"
        // No token has this character (RFC 6750, section 2.1).
        case let token? where token.hasPrefix("@"): file = String(token.dropFirst())
        default: file = nil
        }
        secret = Mutex(account == nil ? file == nil ? token : nil : account?.password)
    }

    /// Whether the token is read from standard input, unless that is a terminal.
    var mayReadInput: Bool { file == "-" }

    func override(mayAsk: Bool, _ context: Context) throws(Failure) -> CommandLineOverride {
        let value: String
        if let known {
            value = known
        } else if let file, file != "-" || !context.terminal.isTerminal(.input) {
            value = try read(file, context)
            secret.withLock { $0 = value }
        } else {
            value = try asked(mayAsk, context.terminal)
        }
        if user == nil, value.allSatisfy(\.isWhitespace) {
            throw Failure(.usage, code: .flagInvalid, "--bearer takes a token; found only spaces")
        }
        guard let user else { return CommandLineOverride(.credentials(.bearer(value)), flag: "--bearer …") }
        if (user + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw Failure(.usage, code: .flagInvalid, "--auth: a user or a password can't have control characters")
        }
        let account = Account(user: user, password: value)
        return CommandLineOverride(
            .credentials(isDigest ? .digest(account) : .basic(account)),
            flag: LikelySecret.isIn(user) ? "--auth …" : "--auth \(user):…")
    }

    private var known: String? { secret.withLock { $0 } }

    /// The token in a file or a pipe, without the line break at its end.
    private func read(_ file: String, _ context: Context) throws(Failure) -> String {
        let name = file == "-" ? "standard input" : file
        let bytes = try context.read(
            file == "-" ? file : try context.pathFromHere(file), upTo: 1 << 16, called: name)
        // The message doesn't show the content, which is a secret.
        let words = String(validating: bytes, as: UTF8.self)?.split(whereSeparator: \.isWhitespace) ?? []
        guard words.count == 1 else {
            throw Failure(
                .usage, code: .flagInvalid, "--bearer: \(name) has no token",
                hint: "pipe the token in, or write --bearer TOKEN or --bearer @FILE")
        }
        return String(words[0])
    }

    private func asked(_ mayAsk: Bool, _ terminal: Terminal) throws(Failure) -> String {
        let shown = user.map { LikelySecret.isIn($0) ? "…" : $0 }
        let what = shown.map { "the password of \($0)" } ?? "the token"
        guard mayAsk, terminal.canAsk else {
            throw Failure(
                .usage, code: .flagInvalid,
                "\(what) is missing, and there is no terminal to ask for it",
                hint: shown.map { "write --auth \($0):PASSWORD" } ?? "write --bearer TOKEN")
        }
        switch terminal.askSecret("\(what): ") {
        case .line(let text):
            secret.withLock { $0 = text }
            return text
        case .end: throw Failure(.usage, code: .flagInvalid, "\(what) is missing")
        case .interrupted: throw Failure(.interrupted, [])
        }
    }
}

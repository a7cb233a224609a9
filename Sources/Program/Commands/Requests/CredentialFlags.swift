import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// `--auth`, `--digest` and `--bearer`. The user is asked for a password or a token that is missing, but only once.
final class CredentialFlags: Sendable {
    private let user: String?
    private let isDigest: Bool
    private let secret: Mutex<String?>

    /// Nil if the command has no such options, or none is given.
    init?(_ parsed: ParsedArguments) {
        guard parsed.isDefined(RequestOptions.account) else { return nil }
        let (account, token) = (parsed[RequestOptions.account], parsed[RequestOptions.bearer])
        guard account != nil || token != nil else { return nil }
        user = account?.user
        isDigest = parsed[RequestOptions.digest]
        secret = Mutex(account == nil ? token.flatMap { $0 == "-" ? nil : $0 } : account?.password)
    }

    func override(mayAsk: Bool, _ terminal: Terminal) throws(Failure) -> CommandLineOverride {
        let value: String
        if let known { value = known } else { value = try asked(mayAsk, terminal) }
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

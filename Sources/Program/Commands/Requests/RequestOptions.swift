import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
@_spi(Generated) import RequestBuilding

/// Options of `send`, `render` and `explain`: the endpoint, its params, and flags that change the request.
enum RequestOptions {
    static let endpoint = Argument(
        "ENDPOINT", .text("ENDPOINT", completing: .endpoint),
        "The endpoint's id, such as user.get; or [METHOD] URL, or [METHOD] /PATH on the environment's server")
    static let parameters = Argument(
        rest: "NAME=VALUE", .parameter,
        "A param's value, taken literally; NAME@=FILE reads it from a file, NAME@=- from standard input. For a list, give NAME several times. "
            + "After a URL or path: NAME=TEXT and NAME:=JSON for a JSON body, NAME==TEXT for the query")

    static let header = Option(
        repeated: "header", short: "H", .headerOverride,
        "Set a header; 'Name:' removes it, 'Name;' sends it empty. A header given twice is sent twice")
    static let query = Option(
        repeated: "query", short: "q", .queryOverride, "Set a query item; an item given twice is sent twice")
    static let body = Option(
        "body", .text("TEXT|@FILE|-", completing: .textOrFile, mayHoldSecret: true),
        "Send this body: text, a file, or standard input")
    static let form = Flag(
        "form", "With a URL or path: send NAME=TEXT as a form; NAME@FILE uploads a file")
    static let account = Option(
        "auth", short: "a", aliases: ["user", "u"], .account,
        "Log in with this user and password (Basic); without :PASSWORD, you are asked for it")
    static let digest = Flag("digest", "With --auth: log in with Digest instead of Basic")
    static let bearer = Option(
        "bearer", .bearerToken,
        "Send this bearer token; @FILE reads it from a file, - from a pipe or the terminal")
    static let timeout = Option(
        "timeout", .timeLimit, "The time limit for the whole exchange; \"none\" waits as long as the server takes")
    static let baseURL = Option(
        "base-url", .text("URL", mayHoldSecret: true), "Send to this server instead of the environment's")

    static let environmentFiles = Option(
        repeated: "env-file", .plainFile,
        "Also read variables for secrets from this file; environment variables override it")
    static let trust = Flag(
        "trust", "Trust the workspace: run its programs for secrets and read files outside it")
    static let noInput = Flag("no-input", "Never ask; a missing param is an error")

    static let seed = Option(
        "seed", .text("TEXT"), "Make $uuid, $randomInt and $random the same in each run with the same seed")
    static let time = Option("at", .time, "Set the time of $now, $timestamp and $isoTimestamp")

    static let changes = OptionGroup("Request", header, query, body, form, account, digest, bearer, timeout, baseURL)
        .ruled(by: [.atMostOne(account, bearer), .needs(digest, account)])
    /// The options for changes to many endpoints at once.
    static let commonChanges = OptionGroup("Request", header, query, timeout, baseURL)
    static let values = OptionGroup("Values", environmentFiles, trust, noInput, seed, time)
}

extension ValueSpec where Value == Double {
    fileprivate static let time = ValueSpec("TIME", expected: "a time such as 2026-01-01T00:00:00Z") {
        (text) throws(InvalidValue) in
        guard let seconds = Timestamp.seconds(rfc3339: text) else { throw InvalidValue() }
        return seconds
    }
}

/// `--auth` as it was typed.
struct GivenAccount: Sendable, Equatable {
    let user: String
    /// Nil if the user is to be asked.
    let password: String?
}

extension ValueSpec where Value == GivenAccount {
    fileprivate static let account = ValueSpec(
        "USER[:PASSWORD]", expected: "a user, or a user and a password: ada:secret", mayHoldSecret: true
    ) { (text) throws(InvalidValue) in
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.map { String(Substring($0)) }
        guard let user = texts.first, !text.isEmpty else { throw InvalidValue() }
        return GivenAccount(user: user, password: texts.count == 2 ? texts[1] : nil)
    }
}

/// `-H` as it was typed.
struct HeaderOverride: Sendable, Equatable {
    let name: String
    /// The value; nil to remove the header.
    let value: String?
}

struct QueryOverride: Sendable, Equatable {
    let name: String
    let value: String
}

extension ValueSpec where Value == String {
    /// A word after the endpoint. It can be checked only when the endpoint is known.
    fileprivate static let parameter = ValueSpec(
        "NAME=VALUE", expected: "a param as NAME=VALUE or NAME@=FILE", completion: .parameter, text: { $0 }
    ) { (text) throws(InvalidValue) in text }
}

extension ValueSpec where Value == HeaderOverride {
    static let headerOverride = ValueSpec(
        "'NAME: VALUE'", expected: "a header as 'Name: value', 'Name:' or 'Name;'"
    ) { (text) throws(InvalidValue) in try HeaderOverride(text) }
}

extension HeaderOverride {
    init(_ text: String) throws(InvalidValue) {
        // Searches bytes and not characters, because an accent after the mark would form one character with the mark.
        guard let mark = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }),
            text[..<mark].isToken
        else {
            throw InvalidValue(hint: "write 'Accept: text/plain'")
        }
        let name = String(text[..<mark])
        let rest = text[text.utf8.index(after: mark)...].trimmingSpacesAndTabs
        if text.utf8[mark] == UInt8(ascii: ";") {
            guard rest.isEmpty else {
                throw InvalidValue(hint: "'Name;' sends an empty header; with a value write 'Name: value'")
            }
            self.init(name: name, value: "")
        } else {
            self.init(name: name, value: rest.isEmpty ? nil : String(rest))
        }
    }
}

extension ValueSpec where Value == QueryOverride {
    static let queryOverride = ValueSpec("NAME=VALUE", expected: "a query item as NAME=VALUE") {
        (text) throws(InvalidValue) in
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
            throw InvalidValue(hint: "write 'page=2'; -Q is short for --quiet")
        }
        return QueryOverride(
            name: String(text[..<equals]), value: String(text[text.utf8.index(after: equals)...]))
    }
}

/// `--timeout` as it was typed.
enum TimeLimit: Equatable {
    case total(Duration)
    /// No limit after the connection is established.
    case none

    /// The settings that this limit changes.
    var changes: [TransferChange] {
        switch self {
        case .total(let duration):
            // Who waits this long for the whole wants no shorter limit on a pause.
            [TransferSetting.totalTimeout.to(duration)]
                + (duration > Timeouts.standardIdle ? [TransferSetting.idleTimeout.to(duration)] : [])
        case .none:
            [TransferSetting.totalTimeout, .firstByteTimeout, .idleTimeout].map(\.removed)
        }
    }

    var text: String {
        switch self {
        case .total(let duration): duration.text
        case .none: "none"
        }
    }
}

extension ValueSpec where Value == TimeLimit {
    fileprivate static let timeLimit = ValueSpec(
        "DURATION", expected: "seconds or a duration such as 800ms or 1m30s (at least 1ms), or none", text: \.text
    ) { (text) throws(InvalidValue) in
        text == "none" ? .none : .total(try boundedDuration(text))
    }
}

extension ValueSpec where Value == String {
    fileprivate static let bearerToken = ValueSpec(
        "TOKEN|@FILE|-", expected: "a token without the word Bearer", completion: .textOrFile, mayHoldSecret: true,
        text: \.self
    ) { (text) throws(InvalidValue) in
        if text.lowercased().hasPrefix("bearer ") {
            throw InvalidValue(hint: "the word is added: write --bearer TOKEN")
        }
        return text
    }
}

extension ValueSpec where Value == Duration {
    static let bound = ValueSpec(
        "DURATION", expected: "seconds or a duration such as 800ms (at least 1ms)", text: \.text
    ) { (text) throws(InvalidValue) in try boundedDuration(text) }
}

private func boundedDuration(_ text: String) throws(InvalidValue) -> Duration {
    guard let duration = DurationText.parse(text), duration >= DurationText.shortestBound else {
        throw InvalidValue()
    }
    return duration
}

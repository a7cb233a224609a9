import Calling
import CommandLineKit
import Exchange
import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The flags that ask for cookies and accounts.
struct SessionFlags: Sendable {
    var cookies: CookieSession.File?
    var netrc: NetrcSource?

    init(_ parsed: ParsedArguments) {
        if parsed.isDefined(ConnectionOptions.cookieJar) {
            cookies =
                parsed[ConnectionOptions.cookieJar].map { CookieSession.File(path: $0, isJar: true) }
                ?? parsed[ConnectionOptions.cookieFile].map { CookieSession.File(path: $0, isJar: false) }
        }
        guard parsed.isDefined(ConnectionOptions.netrc) else { return }
        netrc =
            parsed[ConnectionOptions.netrcFile].map { .file($0) } ?? (parsed[ConnectionOptions.netrc] ? .home : nil)
    }
}

extension Context {
    /// Reads the files that the flags name. Problems in these files are reported before anything is sent.
    ///
    /// - Parameter isSending: Whether the jar will also be written.
    func session(_ flags: SessionFlags, isSending: Bool) throws(Failure) -> CallSession {
        var session = CallSession()
        if let source = flags.netrc { session.accounts = NetrcAccounts(try netrc(source), of: source) }
        if let file = flags.cookies {
            let cookies = try cookies(file)
            if isSending { try checkWritable(cookies) }
            session.cookies = cookies
        }
        return session
    }

    /// Reads a netrc file. A missing file is an error, because the user has asked for it.
    private func netrc(_ source: NetrcSource) throws(Failure) -> Netrc {
        let name: String
        let path: String
        switch source {
        case .file(let given): (name, path) = (given, given)
        case .home:
            guard let home = setVariable("HOME") else {
                throw Failure(
                    .usage, code: .fileUnreadable, "--netrc: the home folder is unknown, since HOME is not set",
                    hint: "name the file with --netrc-file FILE")
            }
            (name, path) = ("~/.netrc", FilePath.join(home, ".netrc"))
        }
        let bytes = try read(try pathFromHere(path), upTo: 1 << 20, called: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.usage, code: .fileUnreadable, "cannot read \(name): it is not UTF-8 text")
        }
        return Netrc(text: text)
    }
}

import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// State that the calls of one run share: a cookie jar, and the accounts of a netrc file.
struct CallSession: Sendable {
    var cookies: CookieSession?
    var accounts: NetrcAccounts?

    /// The flags that ask for cookies and accounts.
    struct Flags: Sendable {
        var cookies: CookieSession.Source?
        var netrc: NetrcSource?

        init(_ parsed: ParsedArguments) {
            if parsed.isDefined(ConnectionOptions.cookieJar) {
                cookies =
                    parsed[ConnectionOptions.cookieJar].map { CookieSession.Source(path: $0, isJar: true) }
                    ?? parsed[ConnectionOptions.cookieFile].map { CookieSession.Source(path: $0, isJar: false) }
            }
            guard parsed.isDefined(ConnectionOptions.netrc) else { return }
            netrc =
                parsed[ConnectionOptions.netrcFile].map { .file($0) } ?? (parsed[ConnectionOptions.netrc] ? .home : nil)
        }
    }

    /// Whether a request is complete without the session.
    var addsNothing: Bool { cookies == nil && accounts == nil }

    /// The session with the cookies of needed calls. A session with a jar is unchanged, because the jar already has these
    /// cookies.
    func passing(_ cookies: CookieSession?) -> CallSession {
        var session = self
        session.cookies = session.cookies ?? cookies
        return session
    }

    /// The request with the account for its host. The cookies that the request will carry are added to its secrets.
    func completing(_ assembled: AssembledRequest) throws(Failure) -> AssembledRequest {
        var assembled = assembled
        if let accounts { assembled = try accounts.completing(assembled) }
        if let secrets = cookies?.secrets(for: assembled.request.url), !secrets.isEmpty {
            assembled = try assembled.extended(from: Origin(layer: "command line"), secrets: secrets) { $0 }
        }
        return assembled
    }
}

extension Context {
    /// Reads the files that the flags name. Problems in these files are reported before anything is sent.
    ///
    /// - Parameter isSending: Whether the jar will also be written.
    func session(_ flags: CallSession.Flags, isSending: Bool) throws(Failure) -> CallSession {
        var session = CallSession()
        if let source = flags.netrc { session.accounts = try NetrcAccounts(source, self) }
        if let source = flags.cookies {
            session.cookies = try CookieSession(source, self)
            if isSending { try session.cookies?.checkWritable() }
        }
        return session
    }
}

extension AssembledRequest {
    /// Like `adding`, but if the request can't be made, the failure names the flag as its cause.
    func extended(
        from origin: Origin, secrets: [ResolvedSecret] = [], _ change: (RequestBuilder) -> RequestBuilder
    ) throws(Failure) -> AssembledRequest {
        do throws(RequestBuildingError) {
            return try adding(from: origin, secrets: secrets, change)
        } catch {
            throw Failure(.usage, code: .requestInvalid, "\(origin.description): \(error.reason)")
        }
    }
}

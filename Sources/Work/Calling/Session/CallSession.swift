import Foundation
package import ReqcliAssembly
package import ReqcliText
package import RequestBuilding

/// State that the calls of one run share: a cookie jar, and the accounts of a netrc file.
package struct CallSession: Sendable {
    package var cookies: CookieSession?
    package var accounts: NetrcAccounts?

    package init(cookies: CookieSession? = nil, accounts: NetrcAccounts? = nil) {
        self.cookies = cookies
        self.accounts = accounts
    }

    /// Whether a request is complete without the session.
    package var addsNothing: Bool { cookies == nil && accounts == nil }

    /// The request with the account for its host. The cookies that the request will carry are added to its secrets.
    package func completing(_ assembled: AssembledRequest) throws(Failure) -> AssembledRequest {
        var assembled = assembled
        if let accounts { assembled = try accounts.completing(assembled) }
        if let secrets = cookies?.secrets(for: assembled.request.url), !secrets.isEmpty {
            assembled = try assembled.extended(from: Origin(layer: "command line"), secrets: secrets) { $0 }
        }
        return assembled
    }
}

extension AssembledRequest {
    /// Like `adding`, but if the request can't be made, the failure names the origin, such as a flag, as its cause.
    package func extended(
        from origin: Origin, secrets: [ResolvedSecret] = [], _ change: (RequestBuilder) -> RequestBuilder
    ) throws(Failure) -> AssembledRequest {
        do throws(RequestBuildingError) {
            return try adding(from: origin, secrets: secrets, change)
        } catch {
            throw Failure(.usage, code: .requestInvalid, "\(origin.description): \(error.reason)")
        }
    }
}

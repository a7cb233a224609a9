package import Exchange
import Foundation
import ReqcliAssembly
import ReqcliText
@_spi(Generated) package import RequestBuilding

/// The users and passwords of a netrc file, for requests without other credentials.
package struct NetrcAccounts: Sendable {
    private let source: NetrcSource
    private let netrc: Netrc

    package init(_ netrc: Netrc, of source: NetrcSource) {
        self.source = source
        self.netrc = netrc
    }

    /// The request with the account for its host.
    ///
    /// A request that already has an `Authorization` header, or an account for challenges such as Digest, is unchanged. After a
    /// redirect to another origin, the added header is removed like every other `Authorization`.
    func completing(_ assembled: AssembledRequest) throws(Failure) -> AssembledRequest {
        guard assembled.request.headers["Authorization"] == nil,
            assembled.request.transfer.challengeAccount == nil, assembled.request.signer == nil,
            let host = assembled.request.url.host,
            let (user, password) = netrc.credentials(for: host)
        else { return assembled }
        return try assembled.extended(
            from: Origin(layer: "command line", flag: source.flag),
            secrets: [ResolvedSecret(name: "netrc", value: password, origin: .netrc)]
        ) { builder in
            let authorized = builder.authorization(user: user, password: password)
            return switch source {
            case .home: authorized.setting(.homeNetrc, true)
            case .file(let path): authorized.setting(.netrcFile, path)
            }
        }
    }
}

extension NetrcSource {
    fileprivate var flag: String {
        switch self {
        case .home: "--netrc"
        case .file(let path): "--netrc-file \(path)"
        }
    }
}

import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The users and passwords of a netrc file, for requests without other credentials.
struct NetrcAccounts: Sendable {
    private let source: NetrcSource
    private let netrc: Netrc

    /// A missing file is an error, because the user has asked for it.
    init(_ source: NetrcSource, _ context: Context) throws(Failure) {
        self.source = source
        let name: String
        let path: String
        switch source {
        case .file(let given): (name, path) = (given, given)
        case .home:
            guard let home = context.setVariable("HOME") else {
                throw Failure(
                    .usage, code: .fileUnreadable, "--netrc: the home folder is unknown, since HOME is not set",
                    hint: "name the file with --netrc-file FILE")
            }
            (name, path) = ("~/.netrc", FilePath.join(home, ".netrc"))
        }
        let target = try context.pathFromHere(path)
        let bytes = try context.read(target, upTo: 1 << 20, called: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.usage, code: .fileUnreadable, "cannot read \(name): it is not UTF-8 text")
        }
        netrc = Netrc(text: text)
    }

    /// The request with the account for its host.
    ///
    /// A request that has an `Authorization`, or an account for challenges, is unchanged. After a redirect to another origin, the
    /// header is removed like every other `Authorization`.
    func completing(_ assembled: AssembledRequest) throws(Failure) -> AssembledRequest {
        guard assembled.request.headers["Authorization"] == nil,
            assembled.request.transfer.challengeAccount == nil, let host = assembled.request.url.host,
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

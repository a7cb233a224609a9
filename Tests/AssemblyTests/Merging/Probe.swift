import Assembly
import Definitions
import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One thing to look at in a request.
struct Probe: Sendable {
    let read: @Sendable (AssembledRequest) -> String?

    init(_ read: @escaping @Sendable (AssembledRequest) -> String?) { self.read = read }

    static let url = Probe { Wire($0).url }
    static let line = Probe { Wire($0).line }
    static let query = Probe { Wire($0).query }
    static let body = Probe { Wire($0).body }
    static let headers = Probe { Wire($0).headers.joined(separator: "|") }
    static let cachePolicy = Probe { $0.request.cachePolicy.name }
    static let expectation = Probe { request in
        request.expectation.map { expectation in
            let statuses = (expectation.status?.value ?? []).map(\.text).joined(separator: " ")
            return "\(statuses), \(expectation.json.count) paths"
        }
    }
    static let policy = Probe { "\($0.policy)" }
    static let stubs = Probe { request in
        request.call.environment.stubs.map { stubs in
            stubs.map { "\($0.name)=\($0.value.value)" }.joined(separator: " ")
        }
    }
    static let timeouts = Probe { request in
        [
            ("connect", request.option(TransferOption.ConnectTimeout.self)),
            ("firstByte", request.option(TransferOption.FirstByteTimeout.self)),
            ("idle", request.option(TransferOption.IdleTimeout.self)),
            ("total", request.option(TransferOption.TotalTimeout.self)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
    static let redirects = Probe { request in
        [
            ("follow", request.option(TransferOption.FollowRedirects.self)),
            ("max", request.option(TransferOption.MaximumRedirects.self)),
            ("credentials", request.option(TransferOption.RedirectCredentials.self)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
    static let retry = Probe { request in
        [
            ("times", request.option(TransferOption.RetryTimes.self)),
            ("on", request.option(TransferOption.RetryStatuses.self)),
            ("methods", request.option(TransferOption.RetryMethods.self)),
            ("delay", request.option(TransferOption.RetryDelay.self)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: "; ")
    }
    static let tls = Probe { request in
        [
            ("ca", request.option(TransferOption.CertificateAuthorities.self)),
            ("cert", request.option(TransferOption.ClientCertificate.self)),
            ("key", request.option(TransferOption.ClientKey.self)),
            ("insecure", request.option(TransferOption.Insecure.self)),
            ("minVersion", request.option(TransferOption.MinimumTLSVersion.self)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
}

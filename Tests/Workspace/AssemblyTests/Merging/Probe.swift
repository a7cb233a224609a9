import ReqcliAssembly
import ReqcliDefinitions
import ReqcliNetworking
@_spi(Generated) import RequestBuilding

/// One thing to look at in a request.
struct Probe: Sendable {
    let read: @Sendable (AssembledRequest) -> String?

    init(_ read: @escaping @Sendable (AssembledRequest) -> String?) { self.read = read }

    static let url = Probe { Wire($0).url }
    static let line = Probe { Wire($0).line }
    static let query = Probe { Wire($0).query }
    static let body = Probe { Wire($0).body }
    static let headers = Probe { Wire($0).headers.joined(separator: "|") }
    static let cachePolicy = Probe { $0.request.transfer.cachePolicy.name }
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
            ("connect", request.setting(.connectTimeout)),
            ("firstByte", request.setting(.firstByteTimeout)),
            ("idle", request.setting(.idleTimeout)),
            ("total", request.setting(.totalTimeout)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
    static let redirects = Probe { request in
        [
            ("follow", request.setting(.followsRedirects)),
            ("max", request.setting(.maximumRedirects)),
            ("credentials", request.setting(.redirectCredentials)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
    static let retry = Probe { request in
        [
            ("times", request.setting(.retryTimes)),
            ("on", request.setting(.retryStatuses)),
            ("methods", request.setting(.retryMethods)),
            ("delay", request.setting(.retryDelay)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: "; ")
    }
    static let httpVersion = Probe { $0.setting(.httpVersion) ?? "" }
    static let proxy = Probe { "\($0.request.transfer.proxies)" }
    static let tls = Probe { request in
        [
            ("ca", request.setting(.authorities)),
            ("cert", request.setting(.certificate)),
            ("key", request.setting(.certificateKey)),
            ("insecure", request.setting(.isInsecure)),
            ("minVersion", request.setting(.minimumTLSVersion)),
            ("maxVersion", request.setting(.maximumTLSVersion)),
        ].compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
}

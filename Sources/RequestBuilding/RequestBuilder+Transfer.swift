#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension RequestBuilder {
    /// Sets the method; without it a request is a GET.
    public func method(_ method: HTTPMethod) -> RequestBuilder {
        appending("method", .method, value: method.token, .request { $0.setMethod(method.token) })
    }

    /// Sets the method from text; what is not a method is an error of ``makeRequest(baseURL:)``.
    public func method(_ token: String) -> RequestBuilder {
        appending(
            "method", .method, value: token, .request { $0.setMethod(try HTTPMethod(checking: token).token) })
    }

    /// Sets the time allowed, in seconds, fractions included.
    public func timeout(seconds: Double) -> RequestBuilder {
        appending(
            "timeout", .timeout, value: "\(Self.plain(seconds)) s",
            .request { draft in
                guard seconds > 0, seconds.isFinite else {
                    throw StepFailure(
                        .invalidTimeout, "\(Self.plain(seconds)) is not a timeout: expected seconds above 0")
                }
                draft.request.timeoutInterval = seconds
            })
    }

    /// Sets the cache policy that the request carries.
    public func cachePolicy(_ policy: URLRequest.CachePolicy) -> RequestBuilder {
        appending("cachePolicy", .cachePolicy, value: policy.name, .request { $0.request.cachePolicy = policy })
    }

    /// Attaches a value for the transport; see ``RequestOption``. Nil removes it.
    public func option<Option: RequestOption>(_ option: Option.Type, _ value: Option.Value?) -> RequestBuilder {
        let name = Option.name
        let text = value.map(Option.text(for:))
        return appending(
            "option", .option(name), value == nil ? .removes : .sets, value: text, .request { $0.options[name] = text })
    }

    /// 5, not 5.0: as a person writes it.
    private static func plain(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }
}

extension HTTPMethod {
    /// The token, checked, for a step.
    init(checking token: String) throws {
        do {
            try self.init(token)
        } catch {
            throw StepFailure(.invalidMethod, error.reason)
        }
    }
}

import ASCII

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension RequestBuilder {
    /// Sets the method; without it a request is a GET.
    public func method(_ method: HTTPMethod) -> RequestBuilder {
        appending("method", .method, value: method.token, .request { $0.setMethod(method) })
    }

    /// Sets the method from text; what is not a method is an error of ``makeRequest(baseURL:)``.
    public func method(_ token: String) -> RequestBuilder {
        appending("method", .method, value: token, .request { $0.setMethod(try HTTPMethod(checking: token)) })
    }

    /// Names the request; see ``PreparedRequest/name``.
    public func named(_ name: String) -> RequestBuilder {
        modifyRequest("named", subject: .other("name"), value: name) { $0.name = name }
    }

    /// Sets one key of how the request is carried.
    ///
    /// ```swift
    /// builder.setting(.retryTimes, 2).setting(.followsRedirects, false)
    /// ```
    public func setting<Value>(_ key: TransferSetting<Value>, _ value: Value) -> RequestBuilder {
        setting(key.to(value))
    }

    /// Takes away what earlier operators have set.
    public func removingSetting<Value>(_ key: TransferSetting<Value>) -> RequestBuilder {
        setting(key.removed)
    }

    /// Sets or takes away one key.
    package func setting(_ change: TransferChange) -> RequestBuilder {
        appending(
            "setting", .setting(change.name), change.value == nil ? .removes : .sets, value: change.value,
            .request { $0.apply(change) })
    }

    /// Sets the time allowed for the whole exchange, the last byte of the body included.
    public func timeout(_ total: Duration) -> RequestBuilder {
        let change = TransferSetting.totalTimeout.to(total)
        return appending(
            "timeout", .setting(change.name), value: change.value,
            .request { draft in
                guard total > .zero else {
                    throw StepFailure(.invalidTimeout, "\(total.text) is not a timeout: expected more than 0s")
                }
                draft.apply(change)
            })
    }

    /// Sets what Foundation's caches may do with the request.
    public func cachePolicy(_ policy: URLRequest.CachePolicy) -> RequestBuilder {
        setting(.cachePolicy, policy)
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

import ReqcliBasics
public import ReqcliNetworking

extension RequestBuilder {
    /// Sets the method. The default is GET.
    public func method(_ method: HTTPMethod) -> RequestBuilder {
        appending("method", .method, value: method.token, .request { $0.setMethod(method) })
    }

    /// Sets the method from text. If the text is not a valid method, ``makeRequest(baseURL:)`` throws an error.
    public func method(_ token: String) -> RequestBuilder {
        appending("method", .method, value: token, .request { $0.setMethod(try HTTPMethod(checking: token)) })
    }

    /// Names the request; see ``PreparedRequest/name``.
    public func named(_ name: String) -> RequestBuilder {
        modifyRequest("named", subject: .name, value: name) { $0.name = name }
    }

    /// Sets the value that the request is made from.
    package func source(_ value: some Sendable) -> RequestBuilder {
        appending(
            "source", .other("source"), value: nil, .request { $0.request.source = RequestSource(value: value) })
    }

    /// Sets one transfer setting.
    ///
    /// ```swift
    /// builder.setting(\.retry.times, 2).setting(\.redirects.isFollowing, false)
    /// ```
    public func setting<Value: Sendable>(
        _ path: any WritableKeyPath<TransferSettings, Value> & Sendable, _ value: Value
    ) -> RequestBuilder {
        let name = TransferSettings.name(of: path)
        return setting(
            TransferChange(name: name, value: TransferSettings.text(of: value, named: name)) { settings, _ in
                settings[keyPath: path] = value
            })
    }

    /// Sets one transfer setting.
    @_spi(Generated) public func setting<Value>(_ key: TransferSetting<Value>, _ value: Value) -> RequestBuilder {
        setting(key.to(value))
    }

    /// Removes the value that earlier operators set for a transfer setting.
    @_spi(Generated) public func removingSetting<Value>(_ key: TransferSetting<Value>) -> RequestBuilder {
        setting(key.removed)
    }

    /// Sets or removes one transfer setting.
    package func setting(_ change: TransferChange) -> RequestBuilder {
        appending(
            "setting", .setting(change.name), change.value == nil ? .removes : .sets, value: change.value,
            .request { $0.apply(change) })
    }

    /// Sets the limit for the whole exchange, including the last byte of the body.
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

    /// Sets Foundation's cache policy for the request.
    public func cachePolicy(_ policy: URLRequest.CachePolicy) -> RequestBuilder {
        setting(.cachePolicy, policy)
    }
}

extension HTTPMethod {
    /// A method from a token. If the token is not valid, the operator's step fails.
    init(checking token: String) throws {
        do throws(RequestBuildingError) {
            try self.init(token)
        } catch {
            throw StepFailure(.invalidMethod, error.reason)
        }
    }
}

extension RequestSubject {
    /// The name of the request.
    static let name = RequestSubject.other("name")
}

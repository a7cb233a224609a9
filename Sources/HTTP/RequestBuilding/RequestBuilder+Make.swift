public import ReqcliNetworking

extension RequestBuilder {
    /// Makes the request: the URL operators run first, then the request operators, both in the order given.
    ///
    /// - Parameters:
    ///   - baseURL: The URL with the default scheme, host, port and base path. Operators of the builder override these.
    ///   - baseline: The settings that apply unless an operator changes them.
    public func prepared(
        baseURL: URL? = nil, over baseline: TransferSettings = TransferSettings()
    ) throws(RequestBuildingError) -> PreparedRequest {
        let (request, problems) = run(baseURL: baseURL, baseline)
        if let first = problems.first { throw first }
        guard let request else { throw RequestBuildingError(.urlNotMade, reason: "the parts don't form a valid URL") }
        return request
    }

    /// Makes the request for an app's own session; see ``PreparedRequest/urlRequest``.
    public func makeRequest(baseURL: URL? = nil) throws(RequestBuildingError) -> URLRequest {
        try prepared(baseURL: baseURL).urlRequest
    }

    /// All errors that prevent ``prepared(baseURL:over:)`` from making the request, in the order of the operators.
    public func problems(baseURL: URL? = nil) -> [RequestBuildingError] {
        run(baseURL: baseURL, TransferSettings()).problems
    }

    private func run(
        baseURL: URL?, _ baseline: TransferSettings
    ) -> (request: PreparedRequest?, problems: [RequestBuildingError]) {
        let resolved = resolved(RequestValues(of: self))
        return resolved.builder.run(baseURL: baseURL, baseline, resolved.problems)
    }

    /// Runs the operators. None of them may be deferred.
    private func run(
        baseURL: URL?, _ baseline: TransferSettings, _ problems: [RequestBuildingError]
    ) -> (request: PreparedRequest?, problems: [RequestBuildingError]) {
        var problems = problems
        let url = makeURL(baseURL: baseURL, problems: &problems)
        // Without a URL the request operators run on a placeholder URL, so that their problems are found too.
        guard let target = url ?? URL(string: "http://invalid/") else { return (nil, problems) }
        var draft = RequestDraft(PreparedRequest(url: target, transfer: baseline))
        for step in operators {
            guard case .request(let change) = step.step else { continue }
            do { try change(&draft) } catch { problems.append(step.failure(error)) }
        }
        do { try draft.agreeOnBoundary() } catch {
            let header = history().first { $0.subject == .header("Content-Type") }?.standing.last
            if let header { problems.append(header.failure(error)) }
        }
        return (problems.isEmpty && url != nil ? draft.finished : nil, problems)
    }

    private func makeURL(baseURL: URL?, problems: inout [RequestBuildingError]) -> URL? {
        var draft = URLDraft()
        let known = problems.count
        do {
            if let baseURL { draft = URLDraft(components: try BaseURL(baseURL.absoluteString).components) }
        } catch {
            let failure = error as? StepFailure
            problems.append(
                RequestBuildingError(failure?.kind ?? .invalidBaseURL, reason: failure?.reason ?? "\(error)"))
        }
        for step in operators {
            guard case .url(let change) = step.step else { continue }
            do { try change(&draft) } catch { problems.append(step.failure(error)) }
        }
        guard problems.count == known else { return nil }
        do {
            return try draft.checkedURL()
        } catch {
            problems.append(error)
            return nil
        }
    }
}

extension BaseURL {
    var components: URLComponents {
        URLComponents(scheme: scheme, host: host, port: port, percentEncodedPath: path)
    }
}

extension URLComponents {
    init(scheme: String?, host: String?, port: Int?, percentEncodedPath: String) {
        self.init()
        self.scheme = scheme
        self.host = host
        self.port = port
        self.percentEncodedPath = percentEncodedPath
    }
}

extension URLDraft {
    /// Checks that the URL is valid for a request, and returns it. A closure may have made it invalid.
    func checkedURL() throws(RequestBuildingError) -> URL {
        var components = components
        guard let scheme = components.scheme, let host = components.encodedHost, !host.isEmpty else {
            throw RequestBuildingError(
                .missingHost,
                reason: "the request has no scheme or no host: give a base URL or set them with scheme and host")
        }
        if let pathProblem {
            throw RequestBuildingError(
                .invalidPath, operator: "path", subject: .path, origin: doubtfulPath?.origin, reason: pathProblem)
        }
        do {
            _ = try RequestBuilder.checkedScheme(scheme)
            _ = try HostName.normalized(host)
            _ = try components.port.map(RequestBuilder.checkedPort)
        } catch {
            let failure = error as? StepFailure
            throw RequestBuildingError(failure?.kind ?? .urlNotMade, reason: failure?.reason ?? "\(error)")
        }
        guard components.user == nil, components.password == nil else {
            throw RequestBuildingError(
                .urlNotMade, reason: "a URL can't carry a user name or a password: set the authorization instead")
        }
        components.percentEncodedPath = PercentEncoding.normalized(components.percentEncodedPath)
        if components.percentEncodedQuery?.isEmpty == true { components.percentEncodedQuery = nil }
        guard let url = components.url else {
            throw RequestBuildingError(.urlNotMade, reason: "the parts don't form a valid URL")
        }
        return url
    }
}

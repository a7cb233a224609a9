public import ReqcliNetworking

extension PreparedRequest {
    /// The request as a URLRequest, for an app's own session with any loader.
    ///
    /// Repeated headers are joined, and `timeouts.total` becomes the `timeoutInterval`. A URLRequest cannot hold the
    /// rest of ``transfer``.
    public var urlRequest: URLRequest {
        var request = foundation ?? URLRequest(url: url)
        request.url = url
        if method != .get { request.httpMethod = method.token }
        if !headers.isEmpty { request.allHTTPHeaderFields = headers.joined }
        if let data = body?.data {
            request.httpBody = data
        } else if let body {
            request.httpBodyStream = RequestBodyStream(body)
        }
        if transfer.cachePolicy != .useProtocolCachePolicy { request.cachePolicy = transfer.cachePolicy }
        if let total = transfer.timeouts.total { request.timeoutInterval = total.seconds }
        return request
    }

    /// A request from a URLRequest.
    ///
    /// Its headers are sorted by name, and a body stream is read to its end. A `timeoutInterval` becomes `timeouts.total`, except 60:
    /// every URLRequest has this value by default, and URLSession takes it as the longest time between two packets, which is the
    /// default of `timeouts.idle`.
    public init(_ request: URLRequest) throws(RequestBuildingError) {
        guard let url = request.url else {
            throw RequestBuildingError(.urlNotMade, operator: "PreparedRequest", reason: "the URLRequest has no URL")
        }
        self.init(url: url)
        do throws(RequestBuildingError) {
            try take(request, after: URLRequest(url: url))
        } catch {
            throw RequestBuildingError(.invalidMethod, operator: "PreparedRequest", reason: error.reason)
        }
    }

    /// Lets a closure change the request as a URLRequest, and applies its changes.
    mutating func modifyAsURLRequest(_ change: (inout URLRequest) throws -> Void) throws {
        var before = urlRequest
        // Without a total, the closure gets a timeout that it can't set by chance, so that 60 seconds count as set.
        if transfer.timeouts.total == nil { before.timeoutInterval = before.timeoutInterval.nextUp }
        var changed = before
        try change(&changed)
        guard let changedURL = changed.url else {
            throw StepFailure(.operatorFailed, "the closure removed the URL")
        }
        url = changedURL
        do throws(RequestBuildingError) {
            try take(changed, after: before)
        } catch {
            throw StepFailure(.invalidMethod, error.reason)
        }
    }

    private mutating func take(_ changed: URLRequest, after before: URLRequest) throws(RequestBuildingError) {
        method = try HTTPMethod(changed.httpMethod ?? "GET")
        headers.take(changed.allHTTPHeaderFields ?? [:], after: before.allHTTPHeaderFields ?? [:])
        if let data = changed.httpBody {
            body = .data(data)
        } else if let stream = changed.httpBodyStream {
            body = (stream as? RequestBodyStream)?.body ?? .data(Data(reading: stream))
        } else {
            body = nil
        }
        transfer.cachePolicy = changed.cachePolicy
        if changed.timeoutInterval != before.timeoutInterval {
            transfer.timeouts.total =
                changed.timeoutInterval > 0 ? .seconds(min(changed.timeoutInterval, 1e9)) : nil
        }
        foundation = changed.rest
    }
}

extension URLRequest {
    /// The properties that ``PreparedRequest`` doesn't store itself; nil if all of them have their default values.
    fileprivate var rest: URLRequest? {
        guard let url else { return nil }
        let plain = URLRequest(url: url)
        var rest = self
        rest.httpMethod = plain.httpMethod
        rest.allHTTPHeaderFields = plain.allHTTPHeaderFields
        rest.httpBody = nil
        rest.httpBodyStream = nil
        rest.cachePolicy = plain.cachePolicy
        rest.timeoutInterval = plain.timeoutInterval
        return rest == plain ? nil : rest
    }
}

extension Data {
    /// All bytes of a stream.
    fileprivate init(reading stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            append(contentsOf: buffer[..<count])
        }
    }
}

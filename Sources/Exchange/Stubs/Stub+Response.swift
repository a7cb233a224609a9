package import Foundation
package import RequestBuilding

extension Stub {
    /// The answer, or the failure as the network would have it.
    func response(to request: PreparedRequest) throws -> Response {
        let failure = error.map { TransportError($0, target: request.url.authority, detail: detail(of: $0, request)) }
        if let failure, failure.kind != .truncated { throw failure }
        let data = try content()
        var response = Response(stubbing: request, status: status, headers: headers, body: data)
        if let failure { response.body = ResponseBody(data, failing: failure) }
        return response
    }

    private func content() throws -> Data {
        switch body {
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw StubUnreadable(path: url.path, underlying: error)
            }
        }
    }

    private func detail(of kind: TransportError.Kind, _ request: PreparedRequest) -> String {
        guard case .timeout = kind else { return "stubbed" }
        return request.transfer.timeouts.total.map { "stubbed, limit \($0.secondsText) s" } ?? "stubbed"
    }
}

extension Response {
    /// An answer as a server can give it: one to HEAD, and one with 204 or 304, ends with its head (RFC 9112, 6.3).
    package init(stubbing request: PreparedRequest, status: Int, headers: HeaderFields, body: Data) {
        let hasBody = request.method != .head && status != 204 && status != 304
        self.init(status: status, headers: headers, body: hasBody ? body : Data(), url: request.url)
    }
}

extension ResponseBody {
    /// A body that ends with a failure after these bytes.
    fileprivate init(_ data: Data, failing error: TransportError) {
        let stream = BodyStream(resume: {}, cancel: {})
        data.withUnsafeBytes { _ = stream.offer($0) }
        stream.finish(.failure(error))
        self.init(stream) {}
    }
}

extension URL {
    /// Host, and port if there is one, for messages.
    package var authority: String {
        let host = host ?? "nowhere"
        return port.map { "\(host):\($0)" } ?? host
    }
}

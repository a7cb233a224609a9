package import Exchange
package import ReqcliRedaction
package import ReqcliText

/// The result of one call.
package final class CallResult: Sendable {
    /// The request as reports show it.
    package struct Request: Sendable, Equatable {
        package var method: String
        package var url: String
        /// The command that sends the same request.
        package var curl: String

        package init(method: String, url: String, curl: String) {
            self.method = method
            self.url = url
            self.curl = curl
        }
    }

    /// The stub variant that responded.
    package struct Stub: Sendable, Equatable {
        package var name: String
        /// Whether the variant has `"expect": "fail"`: the checks have to fail on its response.
        package var mustFail: Bool

        package init(name: String, mustFail: Bool) {
            self.name = name
            self.mustFail = mustFail
        }
    }

    package let result: Result<ReceivedResponse, Failure>
    /// Makes the request; nil if there is none. The request is made only when a report shows it, because most requests are never
    /// shown.
    package let request: @Sendable () -> Request?
    /// The secrets in the request.
    package let secrets: [Redactor.Secret]
    /// The secrets of the request's signatures, which no report may show. Each request has its own signatures.
    package let signatures: [Redactor.Secret]
    package let stub: Stub?
    /// The number of requests sent for the call: more than one if the call itself is retried, zero if no request could be made.
    package let requests: Int
    /// The reason why the first of several requests failed.
    package let firstFailure: String?
    /// The time on the clock at which the first request was handed to the network or to a stub; nil if none was.
    package let began: Duration?
    /// The times of the last transfer, also of one that failed; nil for a stub, or if the transport doesn't measure them.
    package let timings: Timings?
    /// Whether a redirect or a challenge led to further requests.
    package let isChain: Bool
    /// The number by which `Call.cookieSources` refers to the cookies that the call has set; nil if there are none to pass on.
    package let cookies: Int?

    package init(
        _ result: Result<ReceivedResponse, Failure>, request: @autoclosure @escaping @Sendable () -> Request? = nil,
        secrets: [Redactor.Secret] = [], signatures: [Redactor.Secret] = [],
        stub: Stub? = nil, requests: Int = 1, firstFailure: String? = nil, cookies: Int? = nil, began: Duration? = nil,
        timings: Timings? = nil, isChain: Bool = false
    ) {
        self.began = began
        self.timings = timings
        self.isChain = isChain
        self.firstFailure = firstFailure
        self.cookies = cookies
        self.result = result
        self.request = request
        self.secrets = secrets
        self.signatures = signatures
        self.stub = stub
        self.requests = requests
    }
}

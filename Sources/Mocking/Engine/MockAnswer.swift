package import Definitions
package import Exchange
package import HTTPWire
import RequestBuilding

/// What a server gives as its response.
package struct MockAnswer: Sendable {
    package enum Content: Sendable {
        /// A variant's response.
        case stub(ServedStub)
        /// A response of the server itself: no endpoint, no variant, or a request that is wrong.
        case refusal(Refusal)
        /// The request goes on to another server, as `MockEngine.Options.passing` says.
        case passedOn
    }

    package struct Refusal: Sendable {
        package let status: Int
        package let title: String
        package var problems: [RequestReading.Problem] = []
        package var near: [NearMiss] = []
        /// The methods for the header `Allow`.
        package var allowed: [String] = []

        package init(
            status: Int, title: String, problems: [RequestReading.Problem] = [], near: [NearMiss] = [],
            allowed: [String] = []
        ) {
            self.status = status
            self.title = title
            self.problems = problems
            self.near = near
            self.allowed = allowed
        }
    }

    package let endpoint: LocatedEndpoint?
    package let content: Content
    /// The values that the request has for the endpoint's params; nil without an endpoint.
    package var reading: RequestReading?
    /// What is wrong with the request, whether it is refused for it or not.
    package var problems: [RequestReading.Problem] = []
    /// The request's place in the journal; nil for one that only asks what is allowed.
    package var number: Int?
    /// Whether the response is missing because a sequence has given all of its own.
    var ranOut = false

    init(_ endpoint: LocatedEndpoint? = nil, _ content: Content) {
        self.endpoint = endpoint
        self.content = content
    }

    static func refusal(_ status: Int, _ title: String, _ endpoint: LocatedEndpoint? = nil) -> MockAnswer {
        MockAnswer(endpoint, .refusal(Refusal(status: status, title: title)))
    }

    /// The endpoint and the variant that respond, as a header and the log name them.
    package var stub: String? { if case .stub(let served) = content { served.name } else { nil } }

    /// The status; nil for a fault of the connection, and while another server hasn't responded.
    package var status: Int? {
        switch content {
        case .stub(let served): served.stub.error == nil ? served.stub.status : nil
        case .refusal(let refusal): refusal.status
        case .passedOn: nil
        }
    }

    /// Hides what is secret in the request where it is shown.
    package var mask: RequestMask { RequestMask(endpoint, reading) }
}

/// A stub, and its response as bytes, made once for all requests that get it. A class, since it is passed around a lot.
package final class ServedStub: Sendable {
    /// The endpoint and the variant, as a header and the log name them.
    package let name: String
    package let stub: Stub
    /// With the header that names the stub.
    package let head: ReplyHead
    /// Empty for a file that is sent from where it is.
    package let body: [UInt8]

    package init(_ stub: Stub, named name: String) {
        self.name = name
        self.stub = stub
        let fields = stub.headers.map { (name: $0.name, value: $0.value) } + [(MockEngine.header, name)]
        head = ReplyHead(status: stub.status, fields: fields)
        if case .data(let data) = stub.body { body = Array(data) } else { body = [] }
    }
}

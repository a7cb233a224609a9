package import Exchange
package import HTTPWire
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The response of a server to a request. A class, because the engine, the journal and the log share it.
package final class MockAnswer: Sendable {
    package enum Content: Sendable {
        /// A variant's response.
        case stub(ServedStub)
        /// A response of the server itself, because there is no endpoint or no variant, or because the request is wrong.
        indirect case refusal(Refusal)
        /// The request is passed on to another server, as `MockEngine.Options.proxying` says.
        case passedOn

        static func refusal(_ status: Int, _ title: Wording) -> Content {
            .refusal(Refusal(status: status, title: title))
        }

        var served: ServedStub? { if case .stub(let served) = self { served } else { nil } }

        var refusal: Refusal? { if case .refusal(let refusal) = self { refusal } else { nil } }

        var status: Int? {
            switch self {
            case .stub(let served): served.stub.error == nil ? served.stub.status : nil
            case .refusal(let refusal): refusal.status
            case .passedOn: nil
            }
        }
    }

    package struct Refusal: Sendable {
        package let status: Int
        package let title: Wording
        package var problems: [RequestReading.Problem] = []
        package var near: [NearMiss] = []
        /// The methods to list in the header `Allow`.
        package var allowed: [String] = []

        package init(
            status: Int, title: Wording, problems: [RequestReading.Problem] = [], near: [NearMiss] = [],
            allowed: [String] = []
        ) {
            self.status = status
            self.title = title
            self.problems = problems
            self.near = near
            self.allowed = allowed
        }
    }

    package let request: IncomingRequest
    package let endpoint: LocatedEndpoint?
    package let content: Content
    /// The values of the endpoint's params in the request; nil without an endpoint.
    package let reading: RequestReading?
    /// The problems of the request, even if the request is not refused because of them.
    package let problems: [RequestReading.Problem]
    /// The number of the request in the journal; nil for a request that only asks what is allowed, such as a CORS preflight.
    package let number: Int?
    /// The mask; nil if the request can't have secrets of an endpoint.
    let knownMask: RequestMask?

    init(
        to request: IncomingRequest, of endpoint: LocatedEndpoint?, _ content: Content, _ reading: RequestReading?,
        _ problems: [RequestReading.Problem], _ mask: RequestMask?, number: Int?
    ) {
        self.request = request
        self.endpoint = endpoint
        self.content = content
        self.reading = reading
        self.problems = problems
        knownMask = mask
        self.number = number
    }

    /// The endpoint and the variant that respond, as a header and the log name them.
    package var stub: String? { content.served?.name }

    /// The status; nil for a fault of the connection, and while another server hasn't responded.
    package var status: Int? { content.status }

    /// Hides the secrets of the request wherever the request is shown.
    package var mask: RequestMask { knownMask ?? RequestMask.none }
}

/// A stub, and its response as bytes. The bytes are made once for all requests that get this response. A class, because it is
/// passed around a lot.
package final class ServedStub: Sendable {
    /// The endpoint and the variant, as a header and the log name them.
    package let name: String
    package let stub: Stub
    /// The head of the response, with the header that names the stub.
    package let head: ReplyHead
    /// The body; empty for a file that is sent from the disk.
    package let body: [UInt8]
    /// The names of the stub's headers that say which pages may read the response.
    package let sharingNames: Set<String>

    package init(_ stub: Stub, named name: String) {
        self.name = name
        self.stub = stub
        let own = stub.headers.filter { !$0.name.isSameHeader(as: MockEngine.header) }
        let fields = own.map { (name: $0.name, value: $0.value) } + [(MockEngine.header, name)]
        head = ReplyHead(status: stub.status, fields: fields)
        sharingNames = Set(
            ["Vary", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"].filter {
                stub.headers[$0] != nil
            })
        if case .data(let data) = stub.body { body = Array(data) } else { body = [] }
    }
}

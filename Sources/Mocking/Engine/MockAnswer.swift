package import Definitions
package import Exchange

/// What a server gives as its response.
package struct MockAnswer: Sendable {
    package enum Content: Sendable {
        /// A variant's response.
        case stub(Stub, variant: String)
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
    package var stub: String? {
        guard let endpoint, case .stub(_, let variant) = content else { return nil }
        return "\(endpoint.id)=\(variant)"
    }

    /// The status; nil for a fault of the connection, and while another server hasn't responded.
    package var status: Int? {
        switch content {
        case .stub(let stub, _): stub.error == nil ? stub.status : nil
        case .refusal(let refusal): refusal.status
        case .passedOn: nil
        }
    }

    /// Hides what is secret in the request where it is shown.
    package var mask: RequestMask { RequestMask(endpoint, reading) }
}

import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// A response of the control API.
package struct ControlReply: Error, Sendable {
    package let status: Int
    /// The body; nil if there is none.
    package let json: OrderedJSON?
    /// The headers that the status requires.
    package let fields: [(name: String, value: String)]

    package init(_ status: Int, _ json: OrderedJSON?, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.json = json
        self.fields = fields
    }

    /// The reply to a call that succeeded and returns nothing.
    package static let done = ControlReply(204, nil)

    /// A problem in the format `application/problem+json` (RFC 9457).
    package static func problem(
        _ status: Int, _ title: String, _ problems: [String] = [], fields: [(name: String, value: String)] = []
    ) -> ControlReply {
        ControlReply(
            status,
            .object([
                "title": .string(title), "status": .int(status),
                "problems": problems.isEmpty ? nil : .array(problems.map { .string($0) }),
            ]), fields: fields)
    }
}

/// A request to the control API, split into its parts.
struct ControlRequest {
    private let request: IncomingRequest

    /// Splits a request. Throws a reply for an invalid request.
    ///
    /// - Parameter items: The query items that the call takes.
    init(_ request: IncomingRequest, items: [String]) throws(ControlReply) {
        if let other = request.query.first(where: { !items.contains($0.name) }) {
            let known =
                items.isEmpty ? "this call takes no query items" : "this call takes \(items.joined(separator: ", "))"
            throw .problem(400, "there is no query item \(other.name.quoted): \(known)")
        }
        self.request = request
    }

    func item(_ name: String) -> String? { request.query.last { $0.name == name }?.value }

    /// A query item that is a whole number; nil without the item.
    func number(_ name: String) throws(ControlReply) -> Int? {
        guard let text = item(name) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .problem(400, "\(name.quoted) takes a whole number, not \(text.quoted)")
        }
        return number
    }

    /// The session that the query names or, without a query item, the header names.
    func session() throws(ControlReply) -> String {
        let name = item(ControlAPI.sessionItem) ?? request.session
        guard Name.isValid(name) else {
            throw .problem(400, "\(name.quoted) can't be the name of a session: use letters, digits, _ and -")
        }
        return name
    }

    /// The members of the JSON object in the body; empty if there is no body.
    func object() throws(ControlReply) -> [OrderedJSON.Member] {
        if request.body.isEmpty { return [] }
        guard case .object(let members)? = OrderedJSON(parsing: String(decoding: request.body, as: UTF8.self)) else {
            throw .problem(400, "the body is not a JSON object")
        }
        return members
    }
}

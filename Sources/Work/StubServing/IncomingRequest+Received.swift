package import HTTPWire
package import ReqcliMocking

extension IncomingRequest {
    /// Makes a request from the head and the body that a server has received.
    package convenience init(_ head: RequestHead, _ body: [UInt8] = [], isCut: Bool = false) {
        let target = Self.takingSession(outOf: head.target.path)
        self.init(
            method: head.method, path: target.path, query: head.target.query, headers: head.headers, body: body,
            isCut: isCut, session: target.session ?? head.headers.first(Self.sessionHeader) ?? Self.standardSession,
            authority: head.authority)
    }
}

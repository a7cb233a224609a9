package import HTTPWire
package import Mocking

extension IncomingRequest {
    /// A request as a server has it.
    package init(_ head: RequestHead, _ body: [UInt8] = []) {
        let target = Self.takingSession(outOf: head.target.path)
        self.init(
            method: head.method, path: target.path, query: head.target.query,
            headers: head.headers, body: body)
        host = head.authority?.lowercased()
        if let session = target.session ?? header(Self.sessionHeader) { self.session = session }
    }
}

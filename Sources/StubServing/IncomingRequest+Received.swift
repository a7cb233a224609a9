package import HTTPWire
package import Mocking

extension IncomingRequest {
    /// A request as a server has it.
    package init(_ head: RequestHead, _ body: [UInt8] = []) {
        let target = Self.takingSession(outOf: head.target.path)
        self.init(
            method: head.method, path: target.path, query: head.target.query,
            headers: head.fields.map { Field($0.name, $0.value) }, body: body)
        host = head.authority?.lowercased()
        if let session = target.session ?? headers(named: Self.sessionHeader).first { self.session = session }
    }
}

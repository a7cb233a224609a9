import CommandLineKit
package import Exchange

/// The network as commands see it; a test gives another transport.
package struct Network: Sendable {
    package var transport: @Sendable (_ loader: Loader) -> any Transport
    /// The resource that the process lacks to send requests, as a sentence; nil for none. Call it first.
    package var shortage: @Sendable () -> String?
    /// Does beforehand what the first request would have to wait for.
    package var prepare: @Sendable () -> Void

    package init(
        transport: @escaping @Sendable (Loader) -> any Transport,
        shortage: @escaping @Sendable () -> String? = { nil },
        prepare: @escaping @Sendable () -> Void = {}
    ) {
        self.transport = transport
        self.shortage = shortage
        self.prepare = prepare
    }
}

extension Context {
    /// Fails where the process lacks what sending needs, before anything waits for it without end.
    func refuseShortage() throws(Failure) {
        guard let shortage = network.shortage() else { return }
        throw Failure(.noAnswer, code: .noAnswer, shortage)
    }
}

package import Exchange

/// The network as commands see it; a test gives another transport.
package struct Network: Sendable {
    package var transport: @Sendable (_ options: TransportOptions, _ loader: Loader) -> any Transport
    /// Gets ready what takes long to get ready, while others find out what is to be sent.
    package var prepare: @Sendable (_ loader: Loader) -> Void
    /// A clock that only goes forward.
    package var elapsed: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        transport: @escaping @Sendable (TransportOptions, Loader) -> any Transport,
        prepare: @escaping @Sendable (Loader) -> Void = { _ in },
        elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.transport = transport
        self.prepare = prepare
        self.elapsed = elapsed
        self.sleep = sleep
    }
}

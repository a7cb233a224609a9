package import Exchange

/// The network as commands see it; a test gives another transport.
package struct Network: Sendable {
    package var transport: @Sendable (_ options: TransportOptions, _ loader: Loader) -> any Transport
    /// A clock that only goes forward.
    package var elapsed: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        transport: @escaping @Sendable (TransportOptions, Loader) -> any Transport,
        elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.transport = transport
        self.elapsed = elapsed
        self.sleep = sleep
    }
}

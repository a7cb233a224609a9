package import Exchange

/// The network as commands see it; a test gives another transport.
package struct Network: Sendable {
    package var transport: @Sendable (_ options: TransportOptions, _ loader: Loader) -> any Transport
    /// Does beforehand what the first request would have to wait for.
    package var prepare: @Sendable () -> Void
    /// A clock that only goes forward.
    package var elapsed: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        transport: @escaping @Sendable (TransportOptions, Loader) -> any Transport,
        prepare: @escaping @Sendable () -> Void = {},
        elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.transport = transport
        self.prepare = prepare
        self.elapsed = elapsed
        self.sleep = sleep
    }
}

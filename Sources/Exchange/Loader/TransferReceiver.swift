import RequestBuilding

/// Whoever a transfer delivers to. All calls come from the engine's thread, in order, and must not wait.
protocol TransferReceiver: AnyObject, Sendable {
    /// The head of the answer.
    func receive(_ head: ResponseHead)

    /// The next bytes of the body. False holds the transfer back: the same bytes come again after `Engine.resume`.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// The end, once, unless the transfer was cancelled.
    func finish(_ result: Result<ResponseBody.Ending, TransportError>)
}

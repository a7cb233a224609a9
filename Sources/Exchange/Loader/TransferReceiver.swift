import RequestBuilding

/// Whoever a transfer delivers to. All calls come from the engine's thread, in order, and must not wait.
protocol TransferReceiver: AnyObject, Sendable {
    /// The head of the response.
    func receive(_ head: ResponseHead)

    /// The next bytes of the body. False holds the transfer back: the same bytes come again after `Engine.resume`.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// What came in one round of the engine is all there: whoever waits for it may go on. So a small response wakes its
    /// reader once, and not for its head, its body and its end.
    func settle()

    /// The end, once, unless the transfer was cancelled. `settle` follows.
    ///
    /// - Returns: What Foundation is to be told for its books, which nobody waits for: together with others' and a few
    ///   milliseconds later, since a thread of Foundation's wakes up for it.
    func finish(
        _ result: Result<ResponseBody.Ending, TransportError>
    ) -> (report: FoundationReport, ending: FoundationReport.Ending)?
}

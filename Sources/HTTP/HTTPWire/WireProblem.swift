/// The reason why a request is refused: the status of the response, and a sentence for the response and the log.
package struct WireProblem: Error, Equatable, Sendable {
    package let status: Int
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

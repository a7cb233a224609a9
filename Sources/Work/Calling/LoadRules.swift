package import ReqcliText
package import RequestBuilding

/// The rules that a load adds to those of the policy, because it sends a request many times.
package struct LoadRules: Sendable {
    /// Takes note of a request that will be sent, before anything is sent.
    package var announce: @Sendable (PreparedRequest) -> Void
    /// The reason why a request may not be sent, such as one that follows a redirect to another server; nil if it may.
    package var refusal: @Sendable (PreparedRequest) -> Failure?
    /// The time limit of a request whose files and flags have none.
    package var timeLimit: Duration

    package init(
        announce: @escaping @Sendable (PreparedRequest) -> Void,
        refusal: @escaping @Sendable (PreparedRequest) -> Failure?, timeLimit: Duration
    ) {
        (self.announce, self.refusal, self.timeLimit) = (announce, refusal, timeLimit)
    }
}

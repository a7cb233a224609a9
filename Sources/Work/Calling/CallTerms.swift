package import Exchange
package import ReqcliAssembly
package import ReqcliText

/// What a user of a call asks of its request and its response.
package struct CallTerms: Sendable {
    /// What must hold of the request, such as the operation of a description that it must belong to; nil if nothing must. Returns
    /// warnings, and throws if the request may not be sent.
    package var rule: (@Sendable (AssembledRequest) throws(Failure) -> [Diagnostic])?
    /// Judges the events of a stream. Any other response is read as a whole.
    package var events: (any EventJudge)?
    /// The time for which a body is read that is too large to keep; nil to stop as soon as it is too large.
    package var longest: Duration?
    /// The maximum number of bytes of the body that are kept; nil for the limit of the run.
    package var bodyLimit: Int?

    package init(
        rule: (@Sendable (AssembledRequest) throws(Failure) -> [Diagnostic])? = nil, events: (any EventJudge)? = nil,
        longest: Duration? = nil, bodyLimit: Int? = nil
    ) {
        self.rule = rule
        self.events = events
        self.longest = longest
        self.bodyLimit = bodyLimit
    }
}

/// Judges the events of a stream as they arrive.
package protocol EventJudge: Sendable {
    /// The time after which no more events are awaited.
    var within: Duration { get }
    /// Whether the time ran out before all expected events had arrived.
    var isOutOfTime: Bool { get set }
    /// Whether further events can't change the result.
    var isComplete: Bool { get }
    mutating func take(_ event: StreamEvent)
}

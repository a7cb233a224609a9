import Calling
package import Exchange
import ReqcliJSONPath
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The progress of a stream: the number of its events so far, and the conditions that they meet or fail. Memory use doesn't grow
/// with the number of events.
package struct EventProgress: EventJudge {
    /// The most events whose failures are reported.
    private static let mostFailing = 5

    let expected: CompiledEvents
    private(set) var count = 0
    /// The number of conditions in `inOrder` that events have met.
    private(set) var met = 0
    /// The first events that fail the conditions which every event must meet, each with its number in the stream.
    private(set) var failing: [(number: Int, event: StreamEvent)] = []
    /// Whether the time ran out before all expected events had arrived.
    package var isOutOfTime = false

    package var within: Duration { expected.within }

    package init(_ expected: CompiledEvents) { self.expected = expected }

    /// Whether further events can't change the result.
    package var isComplete: Bool {
        if let first = expected.first { return count >= first }
        return !expected.inOrder.isEmpty && met == expected.inOrder.count
    }

    package mutating func take(_ event: StreamEvent) {
        count += 1
        let response = ReceivedResponse(event)
        if met < expected.inOrder.count, expected.inOrder[met].failures(ofEvent: response).isEmpty { met += 1 }
        if failing.count < Self.mostFailing, expected.each.contains(where: { !$0.failures(ofEvent: response).isEmpty })
        {
            failing.append((count, event))
        }
    }
}

extension ReceivedResponse {
    fileprivate convenience init(_ event: StreamEvent) {
        let type = HeaderFields([HeaderFields.Field("event", exactly: event.event)])
        self.init(status: 200, headers: type, body: ReceivedBody(event.invalidData ?? Array(event.data.utf8)))
    }
}

extension CompiledExpectation {
    fileprivate func failures(
        ofEvent event: ReceivedResponse, _ excerpts: Excerpts = Excerpts(Redactor([]))
    ) -> [ExpectationFailure] {
        let judgement = Judgement(response: event, excerpts: excerpts)
        return headers.flatMap { judgement.header($0) } + judgement.bodies(body, json)
    }

    /// All conditions as a phrase.
    fileprivate func phrase(_ excerpts: Excerpts) -> Wording {
        let groups =
            headers.map { ("event", $0) } + (body.map { [("data", $0)] } ?? [])
            + json.map { ($0.path.text, $0.conditions) }
        return groups.flatMap { name, group in group.all.map { "\(own: name) \($0.phrase(excerpts))" as Wording } }
            .joined(separator: ", ")
    }
}

extension Judgement {
    func events(_ expected: CompiledEvents?) -> [ExpectationFailure] {
        guard let expected else { return [] }
        guard let progress = response.events as? EventProgress else {
            let type: Wording? = response.headers["Content-Type"].map { "Content-Type \(excerpts.text($0))" }
            return [
                ExpectationFailure(
                    "events", expected: "a stream of events, such as text/event-stream",
                    actual: type ?? "no Content-Type", at: expected.place)
            ]
        }
        let wrong = progress.failing.flatMap { number, event in
            expected.each.flatMap { $0.failures(ofEvent: ReceivedResponse(event), excerpts) }
                .map { $0.ofEvent(number) }
        }
        return wrong + [missing(expected, progress)].compactMap(\.self)
    }

    /// The failure of a stream that ended before all expected events had arrived.
    private func missing(_ expected: CompiledEvents, _ progress: EventProgress) -> ExpectationFailure? {
        let end = progress.isOutOfTime ? "within \(expected.within.text)" : "before the stream ended"
        let count = progress.count
        let found = "\(count == 0 ? "none" : "only \(count)") \(end)"
        if progress.met < expected.inOrder.count {
            let next = expected.inOrder[progress.met]
            return ExpectationFailure(
                "events", title: "events, number \(progress.met + 1) of \"inOrder\"", expected: next.phrase(excerpts),
                actual: "no such event among \(count)\(own: progress.isComplete ? "" : " \(end)")", at: next.place)
        }
        let least = expected.first ?? 1
        guard count < least else { return nil }
        return ExpectationFailure(
            "events", expected: least == 1 ? "an event" : "\(least) events", actual: Wording(own: found),
            at: expected.place)
    }
}

extension ExpectationFailure {
    /// The failure with the number of the event in its subject and its title.
    fileprivate func ofEvent(_ number: Int) -> ExpectationFailure {
        var failure = self
        for key in [\ExpectationFailure.Wordings.subject, \.title] {
            let name = failure.wordings[keyPath: key]
            let part: Wording = name == "body" ? "data" : name == "header event" ? "type" : name
            failure.wordings[keyPath: key] = "event \(number), \(part)"
        }
        return failure
    }
}

package import ReqcliText

/// The conditions on the events of a stream.
package struct EventsExpectation: Sendable {
    /// The number of events that are read.
    package var first: Int?
    /// The time in which the events must be received.
    package var within = Duration.seconds(10)
    /// The conditions that each event must meet. An array with at most one element, because a struct can't contain itself.
    package var each: [Expectation] = []
    package var inOrder: [Expectation] = []
    package let place: Place

    package var all: [Expectation] { each + inOrder }

    static let table = ObjectShape<EventsExpectation>(
        "events", title: "\"events\"",
        summary: "Conditions on the events of a stream. The connection is closed as soon as no more events are needed.",
        [
            Field(
                "first", .integer(1...1_000_000),
                "How many events to read. By default, events are read until those in \"inOrder\" have arrived, or until the stream ends."
            ) { $0.first = $1 },
            Field("within", .bound, "The time limit for the events, 10 s by default.") { $0.within = $1 },
            Field("each", event.shape, "The conditions that each event must meet.") { $0.each = [$1] },
            Field(
                "inOrder", .list(of: event.shape, expects: "a list of conditions on events", isNeverEmpty: true),
                "Conditions on events that must come in this order; other events may come between them."
            ) { $0.inOrder = $1 },
        ], rules: [.atLeastOne(["first", "each", "inOrder"])], initial: { EventsExpectation(place: $0.headPlace) })

    /// An event is treated like a small response: the type is a header, and the data is the body.
    private static let event = ObjectShape<Expectation>(
        "event", title: "an event", summary: "An event must meet all of these conditions.",
        [
            Field(
                "event", .located(.matchers(Matchers.header, orEqualTo: .scalarValue)),
                "Conditions on the type of the event, which is \"message\" if the stream gives no type."
            ) { $0.headers = [Named("event", at: $1.place, $1.value)] },
            Field(
                "data", .matchers(Matchers.body, orEqualTo: .scalarValue),
                "Conditions on the data of the event, as text."
            ) { $0.body = $1 },
            Expectation.jsonField,
        ], rules: [.atLeastOne(["event", "data", "json"])], initial: { Expectation(place: $0.headPlace) })
}

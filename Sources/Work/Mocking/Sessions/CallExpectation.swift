/// The number of valid calls that an endpoint has to receive.
package struct CallExpectation: Sendable, Equatable {
    package let endpoint: String
    /// The accepted numbers of calls; at least one call by default.
    package let count: ClosedRange<Int>

    package init(_ endpoint: String, _ count: ClosedRange<Int> = 1...Int.max) {
        self.endpoint = endpoint
        self.count = count
    }

    /// Reads a number of calls such as `2`, or a range such as `1..3`; nil for any other text.
    package static func count(_ text: some StringProtocol) -> ClosedRange<Int>? {
        if let exact = number(text) { return exact...exact }
        guard let dots = text.firstRange(of: ".."), let lower = number(text[..<dots.lowerBound]),
            let upper = number(text[dots.upperBound...]), lower <= upper
        else { return nil }
        return lower...upper
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && text.utf8.count < 10 ? Int(text) : nil
    }

    /// A message about a wrong number of received calls; nil if the number is as expected.
    func complaint(about calls: MockSession.CallCount) -> String? {
        guard !count.contains(calls.valid) else { return nil }
        let wanted: String
        switch (count.lowerBound, count.upperBound) {
        case (0, 0): wanted = "no call"
        case (1, Int.max): wanted = "a call"
        case (let lower, let upper) where lower == upper: wanted = lower == 1 ? "1 call" : "\(lower) calls"
        case (let lower, let upper): wanted = "\(lower) to \(upper) calls"
        }
        let wrong = calls.all - calls.valid
        let came: String
        switch calls.valid {
        case 0: came = wrong == 0 ? "none received" : "no valid call received"
        case 1: came = "1 received"
        default: came = "\(calls.valid) received"
        }
        return "\(endpoint): \(wanted) expected, \(came)"
    }
}

extension MockEngine {
    /// The problems of the requests so far, in one session or in all sessions: requests without an endpoint, wrong requests,
    /// sequences that ran out, missing calls, no request at all, and variants that differ from the responses of another server.
    package func complaints(session: String? = nil, expecting expectations: [CallExpectation]) -> [Complaints.Line] {
        withState { state in
            let sessions =
                session.map { [state.sessions.session($0)] } ?? [state.sessions.gone]
                + state.sessions.all
            var complaints = Complaints()
            for session in sessions { complaints.add(session.complaints) }
            var lines = complaints.all
            for expectation in expectations {
                let calls = sessions.reduce(into: MockSession.CallCount()) { sum, session in
                    sum += session.calls[expectation.endpoint] ?? MockSession.CallCount()
                }
                if let text = expectation.complaint(about: calls) {
                    lines.append(Complaints.Line(text: text, place: nil))
                }
            }
            if session != nil, sessions.contains(where: \.isRest) {
                lines.append(
                    Complaints.Line(
                        text:
                            "earlier requests of this session were dropped, because there were too many: reset the session first",
                        place: nil))
            }
            if sessions.allSatisfy({ $0.total == 0 }) {
                lines.append(Complaints.Line(text: "no request was received", place: nil))
            }
            for drift in Set(sessions.flatMap(\.drifts)).sorted() {
                lines.append(Complaints.Line(text: drift, place: nil))
            }
            return lines
        }
    }
}

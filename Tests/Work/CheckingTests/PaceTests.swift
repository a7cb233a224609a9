import Testing

@testable import Checking

@Suite("The pace of --jobs auto")
struct PaceTests {
    /// A server that answers `parallel` requests at the same time, each after `latency`. More requests wait for their turn.
    private struct Server {
        var parallel = Int.max
        var latency = Duration.milliseconds(50)

        /// The time of a request among so many.
        func time(_ requests: Int) -> Duration { latency * max(1, Double(requests) / Double(parallel)) }
    }

    /// The numbers of parallel requests in some rounds, each of which waits for all its responses.
    private static func limits(_ server: Server, rounds: Int, errorsAbove: Int = .max) -> [Int] {
        var pace = Pace(.auto)
        var now = Duration.zero
        return (0..<rounds).map { _ in
            let limit = pace.limit
            let began = now
            now += server.time(limit)
            for number in 0..<limit {
                pace.note(number < errorsAbove ? .response : .noResponse, began: began, now: now)
            }
            return limit
        }
    }

    @Test("it grows while a server answers more requests in the same time, up to 256")
    func grows() {
        #expect(Self.limits(Server(), rounds: 6) == [8, 24, 72, 216, 256, 256])
    }

    @Test("it goes back as soon as more requests bring no more responses")
    func settles() {
        #expect(Self.limits(Server(parallel: 24), rounds: 6) == [8, 24, 72, 24, 24, 24])
        #expect(Self.limits(Server(parallel: 4), rounds: 4) == [8, 24, 8, 8])
    }

    @Test("after some rounds it tries again, each time later")
    func triesAgain() {
        let limits = Self.limits(Server(parallel: 24), rounds: 60)
        let attempts = limits.indices.filter { limits[$0] > 24 }
        #expect(attempts.count == 3)
        #expect(attempts[2] - attempts[1] > attempts[1] - attempts[0])
    }

    @Test("errors that come with more requests end the growth")
    func errors() {
        #expect(Self.limits(Server(), rounds: 4, errorsAbove: 30) == [8, 24, 72, 24])
    }

    @Test("429 halves it, once for the requests that were already under way")
    func refusals() {
        var pace = Pace(.auto)
        for _ in 0..<3 { pace.note(.refusal(pause: nil), began: .seconds(1), now: .seconds(2)) }
        #expect(pace.limit == 4)
        pace.note(.refusal(pause: nil), began: .seconds(3), now: .seconds(4))
        #expect(pace.limit == 2)
        for second in 5..<20 {
            pace.note(.refusal(pause: nil), began: .seconds(second), now: .seconds(second))
        }
        #expect(pace.limit == 1)
    }

    @Test("a server that refuses everything, or fails, is never sent more")
    func hopeless() {
        var refused = Pace(.auto)
        var failing = Pace(.auto)
        for second in 0..<1000 {
            refused.note(.refusal(pause: .seconds(1 << 31)), began: .seconds(second), now: .seconds(second))
            failing.note(.noResponse, began: .seconds(second), now: .seconds(second))
        }
        #expect(refused.limit == 1)
        #expect(refused.pausedUntil <= .seconds(1060))
        #expect(failing.limit == 8)
    }

    @Test("Retry-After is a pause for all requests")
    func pause() {
        var pace = Pace(.auto)
        pace.note(.refusal(pause: .seconds(30)), began: .zero, now: .seconds(1))
        pace.note(.refusal(pause: .seconds(2)), began: .zero, now: .seconds(2))
        #expect(pace.pausedUntil == .seconds(31))
    }

    @Test("the option takes a number or auto", arguments: [("1", 1), ("256", 256), ("auto", 0)])
    func option(_ text: String, _ number: Int) {
        #expect(Jobs(text) == (number == 0 ? .auto : .fixed(number)))
        #expect(Jobs(text)?.text == text)
    }

    @Test("the option takes nothing else", arguments: ["0", "257", "-1", "Auto", "", "4.5"])
    func badOption(_ text: String) { #expect(Jobs(text) == nil) }
}

import RequestBuilding
import Testing

@testable import Exchange

/// The deadlines of a transfer, on the test's own clock.
@Suite struct TransferClockTests {
    private static let second: Int64 = 1_000_000_000

    /// The limit that has expired after these events, in tenths of a second.
    private func expiry(
        _ timeouts: Timeouts, at time: Double, _ events: [(Double, (inout TransferClock, Int64) -> Void)] = []
    ) -> TransportError.Timeout? {
        func nanoseconds(_ time: Double) -> Int64 { Int64(time * 1e9) }
        var clock = TransferClock(timeouts, now: 0)
        for (time, event) in events { event(&clock, nanoseconds(time)) }
        let now = nanoseconds(time)
        let result = clock.expired(at: now)?.kind
        // Sleeping until the deadline must not miss the expiry.
        if result != nil { #expect(clock.deadline(now: now) <= now + 1_000_000) }
        return result
    }

    @Test("each limit applies to its own phase, to the fraction of a second")
    func parts() {
        let all = Timeouts(connect: .seconds(1), firstByte: .seconds(2), idle: .seconds(3), total: .seconds(10))
        #expect(expiry(all, at: 0.999) == nil)
        #expect(expiry(all, at: 1) == .connect)
        #expect(expiry(all, at: 1.5, [(0.5, { $0.connected(now: $1) })]) == nil)
        // Sending may take any time while bytes are sent.
        #expect(expiry(all, at: 3.4, [(0.5, { $0.connected(now: $1) })]) == nil)
        #expect(expiry(all, at: 3.5, [(0.5, { $0.connected(now: $1) })]) == .idle)
        let sent: [(Double, (inout TransferClock, Int64) -> Void)] = [
            (0.5, { $0.connected(now: $1) }), (0.6, { $0.requestSent(now: $1) }),
        ]
        #expect(expiry(all, at: 2.5, sent) == nil)
        #expect(expiry(all, at: 2.6, sent) == .firstByte)
        let answered = sent + [(1.0, { $0.answered(now: $1) })]
        #expect(expiry(all, at: 3.9, answered) == nil)
        #expect(expiry(all, at: 4, answered) == .idle)
        #expect(expiry(all, at: 6, answered + [(3.9, { $0.touched(now: $1) })]) == nil)
    }

    @Test("a server that sends a few bytes at a time cannot exceed the total timeout")
    func drip() {
        let timeouts = Timeouts(idle: .seconds(1), total: .seconds(3))
        var events: [(Double, (inout TransferClock, Int64) -> Void)] = [(0, { $0.connected(now: $1) })]
        for tenth in 1...40 { events.append((Double(tenth) / 10, { $0.touched(now: $1) })) }
        #expect(expiry(timeouts, at: 2.9, events) == nil)
        #expect(expiry(timeouts, at: 3, events) == .total)
    }

    @Test("time spent on redirects counts towards the total, and the message names the full limit")
    func spent() throws {
        var timeouts = Timeouts(total: .seconds(3))
        timeouts.spent = .milliseconds(2800)
        let clock = TransferClock(timeouts, now: 0)
        #expect(clock.expired(at: 199_000_000) == nil)
        let expired = try #require(clock.expired(at: 200_000_000))
        #expect(expired.kind == .total && expired.limit == .seconds(3))
    }

    @Test("a slow reader does not cause an idle timeout, but the total timeout still applies")
    func paused() {
        let timeouts = Timeouts(idle: .seconds(1), total: .seconds(30))
        let events: [(Double, (inout TransferClock, Int64) -> Void)] = [
            (0, { clock, now in clock.connected(now: now) }), (0.1, { clock, now in clock.answered(now: now) }),
            (0.2, { clock, _ in clock.paused() }),
        ]
        #expect(expiry(timeouts, at: 20, events) == nil)
        #expect(expiry(timeouts, at: 30, events) == .total)
        #expect(expiry(timeouts, at: 21, events + [(20, { $0.touched(now: $1) })]) == .idle)
    }

    @Test("no limit counts the time in which the rest of a request's body isn't here")
    func awaitingBody() {
        let timeouts = Timeouts(idle: .seconds(1), total: .seconds(3))
        let waiting: [(Double, (inout TransferClock, Int64) -> Void)] = [
            (0, { $0.connected(now: $1) }), (0.5, { $0.awaitsBody(now: $1) }), (0.6, { $0.awaitsBody(now: $1) }),
        ]
        #expect(expiry(timeouts, at: 100, waiting) == nil)
        let came = waiting + [(100, { $0.bodyCame(now: $1) })]
        #expect(expiry(timeouts, at: 100.9, came) == nil)
        #expect(expiry(timeouts, at: 101, came) == .idle)
        let more = came + [(100.9, { $0.touched(now: $1) }), (101.8, { $0.touched(now: $1) })]
        #expect(expiry(timeouts, at: 102.4, more) == nil)
        #expect(expiry(timeouts, at: 102.5, more) == .total)
    }

    @Test("the first-byte timeout restarts while part of the request is still being sent")
    func stillSending() {
        let timeouts = Timeouts(firstByte: .seconds(1))
        let sent: [(Double, (inout TransferClock, Int64) -> Void)] = [
            (0, { $0.connected(now: $1) }), (0, { $0.requestSent(now: $1) }),
        ]
        #expect(expiry(timeouts, at: 1, sent) == .firstByte)
        #expect(expiry(timeouts, at: 1.9, sent + [(1, { $0.stillSending(now: $1) })]) == nil)
        #expect(expiry(timeouts, at: 2, sent + [(1, { $0.stillSending(now: $1) })]) == .firstByte)
    }

    @Test("the connect timeout starts with the latest attempt to connect, the total with the first")
    func reconnecting() {
        let timeouts = Timeouts(connect: .seconds(1), total: .seconds(3))
        let again: [(Double, (inout TransferClock, Int64) -> Void)] = [
            (0, { $0.connected(now: $1) }), (1.5, { $0.startConnecting(now: $1) }),
        ]
        #expect(expiry(timeouts, at: 2.4, again) == nil)
        #expect(expiry(timeouts, at: 2.5, again) == .connect)
        #expect(expiry(timeouts, at: 3, again + [(2, { $0.connected(now: $1) })]) == .total)
    }

    @Test("without limits nothing expires, and there is no deadline")
    func none() {
        #expect(expiry(Timeouts(), at: 1e6) == nil)
        #expect(TransferClock(Timeouts(), now: 0).deadline(now: 0) == .max)
    }
}

import Exchange
import ReqcliText
import Testing

@testable import Checking

/// The steps of a transfer, from libcurl's times.
struct TimingsTests {
    private static func phases(_ microseconds: Int...) -> [String] {
        let times = microseconds.map { Duration.microseconds($0) }
        let timings = Timings(
            queued: times[0], nameLookup: times[1], connect: times[2], tls: times[3], sent: times[4],
            firstByte: times[5], total: times[6])
        return timings.phases.map { "\($0.phase.name) \($0.duration / .microseconds(1))" }
    }

    @Test("Each phase begins where the one before it ended; steps that did not happen have none")
    func phases() {
        #expect(
            Self.phases(700, 1000, 3000, 6000, 8000, 10_000, 15_000)
                == [
                    "queue 700.0", "dns 1000.0", "connect 2000.0", "tls 3000.0", "send 2000.0", "wait 2000.0",
                    "receive 5000.0",
                ])
        #expect(Self.phases(0, 0, 0, 0, 20, 4000, 4500) == ["wait 3980.0", "receive 500.0"])
        #expect(Self.phases(0, 20, 300, 0, 300, 4000, 4010) == ["connect 280.0", "wait 3700.0"])
        #expect(Self.phases(0, 0, 0, 0, 0, 0, 0).isEmpty)
    }

    @Test("A transfer that failed has waited for the step that it did not reach")
    func failed() {
        var timings = Timings(total: .milliseconds(2))
        #expect(timings.phases.map(\.phase.name) == ["connect"])
        (timings.connect, timings.sending, timings.sent) = (.microseconds(300), .microseconds(310), .microseconds(900))
        #expect(timings.phases.map(\.phase.name) == ["connect", "send", "wait"])
    }

    @Test("Times are written in milliseconds, and read again without a loss")
    func written() throws {
        let timings = Timings(
            queued: .microseconds(90), nameLookup: .microseconds(7), connect: .microseconds(1521),
            sending: .milliseconds(2), sent: .milliseconds(4), firstByte: .milliseconds(80), total: .seconds(3))
        let text = timings.milliseconds.compact
        #expect(
            text
                == #"{"queued":0.09,"nameLookup":0.007,"connect":1.521,"tls":0.0,"sending":2.0,"sent":4.0,"firstByte":80.0,"total":3000.0}"#
        )
        let root = try #require(JSONDocument.read(SourceFile(name: "times", text: text)).validRoot)
        var read = Timings()
        try Timings.table.read(ReportObject(root), into: &read)
        #expect(read == timings)
    }

    @Test("A time that no run takes is an error", arguments: ["-1", "1e13", "\"1\""])
    func unreadable(_ time: String) throws {
        let root = try #require(
            JSONDocument.read(SourceFile(name: "times", text: "{\"total\": \(time)}")).validRoot)
        var read = Timings()
        #expect(throws: UnreadableReport.self) { try Timings.table.read(ReportObject(root), into: &read) }
    }
}

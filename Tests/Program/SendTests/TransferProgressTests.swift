import Testing

@testable import Commands

@Suite struct TransferProgressTests {
    struct Moment: Sendable, CustomTestStringConvertible {
        var testDescription: String { text }
        var direction = TransferProgress.Direction.receiving
        var total: Int?
        var count = 0
        var skipped = 0
        var seconds = 2
        let text: String
    }

    private static let moments = [
        Moment(total: 1 << 30, count: 16 << 20, text: "──────────  16.0 MiB of 1.0 GiB  1%  8.0 MiB/s  2:06 min left"),
        Moment(total: 4096, count: 4096, text: "━━━━━━━━━━  4.0 KiB of 4.0 KiB  100%  2.0 KiB/s"),
        Moment(total: 4096, count: 9000, text: "━━━━━━━━━━  8.8 KiB of 4.0 KiB  100%  4.4 KiB/s"),
        Moment(total: 3 << 30, count: 1, text: "──────────  1 byte of 3.0 GiB  0%  0 bytes/s  days left"),
        Moment(total: 0, text: "0 bytes of 0 bytes  0 bytes/s"),
        Moment(count: 700, text: "700 bytes  350 bytes/s"),
        Moment(
            total: 100, count: 40, seconds: 7200, text: "━━━━──────  40 bytes of 100 bytes  40%  0 bytes/s  3:00 h left"
        ),
        Moment(direction: .sending, total: 5 << 20, seconds: 59, text: "sending 5.0 MiB  59 s"),
        Moment(direction: .waiting, seconds: 3, text: "⠴ waiting  3 s"),
        Moment(direction: .sending, seconds: 61, text: "sending  1:01 min"),
        Moment(total: 4096, count: 4096, skipped: 2048, text: "━━━━━━━━━━  4.0 KiB of 4.0 KiB  100%  1.0 KiB/s"),
    ]

    @Test("progress shows the transferred size and, if known, the share of the total", arguments: moments)
    func text(_ moment: Moment) {
        var progress = TransferProgress(
            direction: moment.direction, total: moment.total, start: .seconds(5), skipped: moment.skipped)
        progress.count = moment.count
        #expect(progress.text(after: .seconds(moment.seconds)) == moment.text)
    }
}

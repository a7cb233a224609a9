package import Exchange
package import ReqcliText
import RequestBuilding

extension Timings {
    /// A phase of a transfer, which begins at the end of the phase before it.
    struct Phase: Sendable {
        /// The class in the style sheet.
        let name: String
        let title: String
        /// The time from the end of the queue to the end of the phase.
        fileprivate let end: @Sendable (Timings) -> Duration

        static let all = [
            Phase(name: "queue", title: "queue") { _ in .zero },
            Phase(name: "dns", title: "DNS") { $0.nameLookup },
            Phase(name: "connect", title: "connect") { $0.hasFailed(before: $0.sending) ? $0.total : $0.connect },
            Phase(name: "tls", title: "TLS") { $0.tls }, Phase(name: "send", title: "request") { $0.sent },
            Phase(name: "wait", title: "first byte") { $0.hasFailed(before: $0.firstByte) ? $0.total : $0.firstByte },
            Phase(name: "receive", title: "body") { $0.total },
        ]
    }

    /// The phases and how long they took, in their order. Phases too short to be shown are left out.
    var phases: [(phase: Phase, duration: Duration)] {
        var latest = Duration.zero - queued
        return Phase.all.compactMap { phase in
            let end = phase.end(self)
            defer { latest = max(latest, end) }
            return end - latest >= .microseconds(50) ? (phase, end - latest) : nil
        }
    }

    /// Whether the transfer failed before this step.
    private func hasFailed(before step: Duration) -> Bool { step == .zero && firstByte == .zero }

    /// The times in milliseconds, in `send --json` and in the JSON report.
    package var milliseconds: OrderedJSON { .object(Self.table.members(of: self)) }

    static let table = RecordTable<Timings>([
        RecordField("queued", \.queued, .fineMilliseconds), RecordField("nameLookup", \.nameLookup, .fineMilliseconds),
        RecordField("connect", \.connect, .fineMilliseconds), RecordField("tls", \.tls, .fineMilliseconds),
        RecordField("sending", \.sending, .fineMilliseconds), RecordField("sent", \.sent, .fineMilliseconds),
        RecordField("firstByte", \.firstByte, .fineMilliseconds), RecordField("total", \.total, .fineMilliseconds),
    ])
}

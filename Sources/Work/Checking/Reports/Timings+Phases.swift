package import Exchange
package import ReqcliText
import RequestBuilding

extension Timings {
    /// A phase of a transfer, which begins at the end of the phase before it.
    struct Phase: Sendable {
        /// The class in the style sheet.
        let name: String
        let title: String
        fileprivate let end: @Sendable (Timings) -> Duration

        static let all = [
            Phase(name: "dns", title: "DNS") { $0.nameLookup }, Phase(name: "connect", title: "connect") { $0.connect },
            Phase(name: "tls", title: "TLS") { $0.tls }, Phase(name: "wait", title: "first byte") { $0.firstByte },
            Phase(name: "receive", title: "body") { $0.total },
        ]
    }

    /// The phases and how long they took, in their order. Phases too short to be shown are left out.
    var phases: [(phase: Phase, duration: Duration)] {
        var latest = Duration.zero
        return Phase.all.compactMap { phase in
            let end = phase.end(self)
            defer { latest = max(latest, end) }
            return end - latest >= .microseconds(50) ? (phase, end - latest) : nil
        }
    }

    /// The times in milliseconds, in `send --json` and in the JSON report.
    package var milliseconds: OrderedJSON { .object(Self.table.members(of: self)) }

    static let table = RecordTable<Timings>([
        RecordField("nameLookup", \.nameLookup, .fineMilliseconds),
        RecordField("connect", \.connect, .fineMilliseconds),
        RecordField("tls", \.tls, .fineMilliseconds), RecordField("firstByte", \.firstByte, .fineMilliseconds),
        RecordField("total", \.total, .fineMilliseconds),
    ])

    /// Times before their keys are read.
    init() { self.init(nameLookup: .zero, connect: .zero, tls: .zero, firstByte: .zero, total: .zero) }
}

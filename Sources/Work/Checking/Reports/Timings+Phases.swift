package import Exchange
package import ReqcliText
import RequestBuilding

extension Timings {
    /// A phase of a transfer, from the end of the phase before it.
    enum Phase: String, CaseIterable {
        case dns
        case connect
        case tls
        case wait
        case receive

        var title: String {
            switch self {
            case .dns: "DNS"
            case .connect: rawValue
            case .tls: "TLS"
            case .wait: "first byte"
            case .receive: "body"
            }
        }

        fileprivate func end(in timings: Timings) -> Duration {
            switch self {
            case .dns: timings.nameLookup
            case .connect: timings.connect
            case .tls: timings.tls
            case .wait: timings.firstByte
            case .receive: timings.total
            }
        }
    }

    /// The phases and how long they took, in their order. Phases too short to be shown are left out.
    var phases: [(phase: Phase, duration: Duration)] {
        var latest = Duration.zero
        return Phase.allCases.compactMap { phase in
            let duration = phase.end(in: self) - latest
            latest = max(latest, phase.end(in: self))
            return duration >= .microseconds(50) ? (phase, duration) : nil
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

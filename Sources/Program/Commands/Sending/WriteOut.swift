import CommandLineKit
import Exchange
import Foundation
import ReqcliBasics
import RequestBuilding

/// The text of `--write-out`, in which `{status}` and other variables stand for values of a response.
struct WriteOut: Sendable {
    private let source: String
    private let pieces: [Piece]

    private enum Piece: Sendable {
        case text(String)
        case value(Variable)
        /// All values of a header.
        case header(String)
    }

    /// The values of a response. The times are in seconds since the start of the transfer, as in curl.
    private enum Variable: String, CaseIterable, Sendable {
        case status
        case reason
        case version
        case url
        case size
        case queued = "time.queued"
        case nameLookup = "time.nameLookup"
        case connect = "time.connect"
        case tls = "time.tls"
        case sending = "time.sending"
        case sent = "time.sent"
        case firstByte = "time.firstByte"
        case total = "time.total"
    }

    /// A response that has been read to its end.
    struct Values {
        /// The head as it may be shown.
        let head: ResponseHead
        let request: PreparedRequest
        let size: Int
        let timings: Timings?
    }

    /// The text with the values filled in.
    ///
    /// - Parameter redact: Masks the secrets in a value.
    func text(_ values: Values, redact: (String) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .value(let variable): redact(Self.text(variable, values))
            case .header(let name): redact(values.head.headers.values(name).joined(separator: ", "))
            }
        }.joined()
    }

    private static func text(_ variable: Variable, _ values: Values) -> String {
        switch variable {
        case .status: String(values.head.status)
        case .reason: values.head.reason
        case .version: values.head.version
        case .url: (values.head.url ?? values.request.url).absoluteString
        case .size: String(values.size)
        case .queued: seconds(values.timings?.queued)
        case .nameLookup: seconds(values.timings?.nameLookup)
        case .connect: seconds(values.timings?.connect)
        case .tls: seconds(values.timings?.tls)
        case .sending: seconds(values.timings?.sending)
        case .sent: seconds(values.timings?.sent)
        case .firstByte: seconds(values.timings?.firstByte)
        case .total: seconds(values.timings?.total)
        }
    }

    /// The seconds with six digits after the point; empty where no time was measured.
    private static func seconds(_ duration: Duration?) -> String {
        guard let duration else { return "" }
        let microseconds = duration.nanoseconds / 1000
        let digits = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

// MARK: - Reading

extension WriteOut {
    fileprivate init(_ source: String) throws(InvalidValue) {
        var pieces: [Piece] = []
        var text = ""
        var rest = source[...]
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("{", "{"), ("\\", "\\"):
                rest.removeFirst()
                text.append(character)
            case ("\\", let next?) where Self.escapes[next] != nil:
                rest.removeFirst()
                text += Self.escapes[next] ?? ""
            case ("{", _):
                guard let end = rest.firstIndex(of: "}") else {
                    throw InvalidValue(hint: "a variable ends with \"}\"; write {{ for a brace")
                }
                pieces += [.text(text), try Self.piece(String(rest[..<end]))]
                text = ""
                rest = rest[rest.index(after: end)...]
            default: text.append(character)
            }
        }
        self.source = source
        self.pieces = pieces + [.text(text)]
    }

    private static let escapes: [Character: String] = ["n": "\n", "t": "\t", "r": "\r"]

    private static func piece(_ name: String) throws(InvalidValue) -> Piece {
        if let variable = Variable(rawValue: name) { return .value(variable) }
        if name.hasPrefix("header."), name.utf8.count > 7 { return .header(String(name.dropFirst(7))) }
        let names = Variable.allCases.map(\.rawValue) + ["header.NAME"]
        throw InvalidValue(
            hint: "there is no variable {\(name)}; "
                + (NearNames.question(for: name, among: names)
                    ?? "available: \(names.joined(separator: ", ")); write {{ for a brace"))
    }

    static let spec = ValueSpec(
        "TEXT", expected: "text with variables such as {status}", text: { (text: WriteOut) in text.source }
    ) { (text) throws(InvalidValue) in try WriteOut(text) }
}

#if os(Linux)
import ReqcliBasics
import RequestBuilding

/// Builds the heads of a response from the lines that a transfer delivers: interim heads, the final head, then trailers.
///
/// libcurl has already accepted the lines; the parser stores their content.
struct HeadParser {
    /// The maximum size in bytes of a head together with all interim heads and trailers. If the size is larger, the response is
    /// rejected.
    static let limit = 256 << 10

    /// The effect of a line.
    enum Event: Equatable {
        case none
        /// The head of the response is complete.
        case head
        /// The head is invalid, for this reason.
        case invalid(String)
    }

    static let beginsFolded = "its first header begins with a space"

    private(set) var isComplete = false
    private(set) var head = ResponseHead(status: 0, reason: "")
    private(set) var trailers: [HeaderFields.Field] = []

    private var fields: [HeaderFields.Field] = []
    private var rawBytes: [UInt8] = []
    private var interim: [ResponseHead.InterimHead] = []
    private(set) var hasBegun = false
    private var isInHead = false
    private var count = 0

    /// True from the beginning of a head with a 1xx status to the beginning of the next head.
    var isInterim: Bool { !isComplete && (100..<200).contains(head.status) && head.status != 101 }

    mutating func add(_ line: UnsafeRawBufferPointer) -> Event {
        count += line.count
        if count > Self.limit { return .invalid("its head is larger than \(Self.limit >> 10) KiB") }
        let text = Line(line)
        if isComplete {
            Self.append(text, to: &trailers)
            return .none
        }
        if !isInHead {
            // libcurl may deliver an empty line before the status line. This line is ignored.
            if text.isEmpty { return .none }
            begin(text)
            rawBytes.append(contentsOf: line)
            return .none
        }
        rawBytes.append(contentsOf: line)
        if text.isEmpty { return end() }
        if fields.isEmpty, text.beginsWithBlank { return .invalid(Self.beginsFolded) }
        // libcurl treats a line that begins with a carriage return as the end of the head, whatever follows in the line.
        if line.first == 0x0D { return .invalid("a line of its head begins with a carriage return") }
        Self.append(text, to: &fields)
        return .none
    }

    private mutating func begin(_ statusLine: Line) {
        let (version, rest) = statusLine.cut(at: UInt8(ascii: " "))
        let (status, reason) = rest?.cut(at: UInt8(ascii: " ")) ?? (nil, nil)
        head = ResponseHead(
            status: status.flatMap { Int($0.text) } ?? 0, reason: reason?.trimmed.text ?? "",
            version: version.text)
        isInHead = true
        hasBegun = true
        // Most heads are not larger than this.
        rawBytes.reserveCapacity(512)
        fields.reserveCapacity(8)
    }

    private mutating func end() -> Event {
        isInHead = false
        let headers = HeaderFields(fields)
        if isInterim {
            interim.append(.init(status: head.status, reason: head.reason, headers: headers))
            fields = []
            rawBytes = []
            return .none
        }
        head.headers = headers
        head.interim = interim
        head.rawBytes = rawBytes
        isComplete = true
        return .head
    }

    private static func append(_ line: Line, to fields: inout [HeaderFields.Field]) {
        if line.isEmpty { return }
        if line.beginsWithBlank, let last = fields.popLast() {
            // An obsolete folded line continues the value before it.
            let (text, isLatin1) = line.trimmed.decoded
            fields.append(
                HeaderFields.Field(last.name, "\(last.value) \(text)", isLatin1: last.isLatin1 || isLatin1))
            return
        }
        guard case (let name, let value?) = line.cut(at: UInt8(ascii: ":")) else { return }
        let (text, isLatin1) = value.trimmed.decoded
        fields.append(HeaderFields.Field(name.trimmed.text, text, isLatin1: isLatin1))
    }
}

/// A line of a head, or a part of a line. The separators are ASCII, so the bytes can be split before they are decoded.
private struct Line {
    private let bytes: UnsafeRawBufferPointer

    private init(part bytes: Slice<UnsafeRawBufferPointer>) { self.bytes = UnsafeRawBufferPointer(rebasing: bytes) }

    /// The line without its line feed and carriage return.
    init(_ line: UnsafeRawBufferPointer) {
        var end = line.endIndex
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        self.init(part: line[..<end])
    }

    var isEmpty: Bool { bytes.isEmpty }

    var beginsWithBlank: Bool { bytes.first?.isSpaceOrTab ?? false }

    var trimmed: Line { Line(part: bytes.trimmingSpacesAndTabs) }

    /// The parts of the line before and after the first byte that equals `mark`; the second part is nil if there is no such byte.
    func cut(at mark: UInt8) -> (Line, Line?) {
        guard let index = bytes.firstIndex(of: mark) else { return (self, nil) }
        return (Line(part: bytes[..<index]), Line(part: bytes[(index + 1)...]))
    }

    var text: String { decoded.text }

    /// The line as a string. If the line is not UTF-8, it is read as Latin-1, which HTTP used earlier.
    var decoded: (text: String, isLatin1: Bool) {
        if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    }
}
#endif

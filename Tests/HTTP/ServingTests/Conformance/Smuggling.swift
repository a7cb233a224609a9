import Testing

/// A header line that is nearly one about the body's length, as a proxy may take it for one where its server doesn't.
struct MutatedLine: CustomTestStringConvertible, Sendable {
    /// What a reader of RFC 9112 makes of it.
    enum Meaning: Equatable {
        /// It is no header line, or its value has no meaning: the request is refused.
        case refused
        /// A field of another name.
        case other
        /// What it was before it was changed.
        case same
    }

    let line: [UInt8]
    let meaning: Meaning

    init(_ line: [UInt8], _ meaning: Meaning) {
        self.line = line
        self.meaning = meaning
    }

    init(_ line: String, _ meaning: Meaning) { self.init(Array(line.utf8), meaning) }

    var testDescription: String { String(decoding: line, as: UTF8.self).debugDescription }

    // MARK: Each byte at each place

    /// A place in a line, and what each byte there makes of it.
    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: String
        let behind: String
        let meaning: @Sendable (UInt8) -> Meaning

        /// The places before and behind the byte, and those beside them.
        var cuts: Range<Int> { max(0, before.utf8.count - 1)..<(before.utf8.count + 3) }

        /// The line with each byte, from 0 to 255.
        var lines: [MutatedLine] {
            (UInt8.min...UInt8.max).map { byte in
                MutatedLine(Array(before.utf8) + [byte] + Array(behind.utf8), meaning(byte))
            }
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        Array("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8).contains(byte)
    }

    /// RFC 9110, section 5.5.
    private static func isInValues(_ byte: UInt8) -> Bool { byte == 9 || byte >= 32 && byte != 127 }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    /// Places in `name: value`.
    ///
    /// - Parameter isSameValue: Whether a byte before or behind the value leaves it as it is.
    private static func places(
        _ name: (String, String), _ value: (String, String), isSameValue: @escaping @Sendable (UInt8) -> Bool
    ) -> [Place] {
        let (wholeName, wholeValue) = (name.0 + "-" + name.1, value.0 + value.1)
        return [
            Place(testDescription: "before \(wholeName)", before: "", behind: "\(wholeName): \(wholeValue)") {
                isToken($0) ? .other : .refused
            },
            Place(testDescription: "in \(wholeName)", before: name.0, behind: "\(name.1): \(wholeValue)") {
                $0 == UInt8(ascii: "-") ? .same : isToken($0) || $0 == UInt8(ascii: ":") ? .other : .refused
            },
            Place(testDescription: "behind \(wholeName)", before: wholeName, behind: ": \(wholeValue)") {
                isToken($0) ? .other : .refused
            },
            Place(testDescription: "before \(wholeValue)", before: "\(wholeName):", behind: wholeValue) {
                isSameValue($0) ? .same : .refused
            },
            Place(testDescription: "in \(wholeValue)", before: "\(wholeName): \(value.0)", behind: value.1) { _ in
                .refused
            },
            Place(testDescription: "behind \(wholeValue)", before: "\(wholeName): \(wholeValue)", behind: "") {
                isSameValue($0) ? .same : .refused
            },
            Place(
                testDescription: "between another value and \(wholeName)", before: "A: b",
                behind: "\(wholeName): \(wholeValue)"
            ) { isInValues($0) ? .other : .refused },
        ]
    }

    static let codingPlaces = places(("Transfer", "Encoding"), ("chun", "ked")) {
        isSpace($0) || $0 == UInt8(ascii: ",")
    }
    /// Without the digits beside a value: they make another length of it.
    static let lengthPlaces = places(("Content", "Length"), ("4", "4")) { isSpace($0) }

    // MARK: Lines by hand

    static let codings = [
        MutatedLine("Transfer-Encoding: chunked", .same), MutatedLine("transfer-encoding:chunked", .same),
        MutatedLine("TRANSFER-ENCODING:\t\t chunked\t", .same), MutatedLine("Transfer-Encoding: CHUNKED", .same),
        MutatedLine("A: b\r\nTransfer-Encoding: chunked", .same), MutatedLine("Transfer-Encoding: ,chunked", .same),
        MutatedLine("Transfer-Encoding:\r\nTransfer-Encoding: chunked", .same),
        MutatedLine("Transfer-Encoding: chunked\r\nA: b", .same),
        MutatedLine("Transfer_Encoding: chunked", .other), MutatedLine("TransferEncoding: chunked", .other),
        MutatedLine("Transfer--Encoding: chunked", .other), MutatedLine("Transfer-Encodings: chunked", .other),
        MutatedLine("XTransfer-Encoding: chunked", .other), MutatedLine("Transfer-Encodin: chunked", .other),
        MutatedLine("Transfer.Encoding: chunked", .other), MutatedLine("TE: chunked", .other),
        MutatedLine("Content-Encoding: chunked", .other), MutatedLine("A: Transfer-Encoding: chunked", .other),
        MutatedLine("Transfer: Encoding: chunked", .other), MutatedLine("'Transfer-Encoding': chunked", .other),
        MutatedLine(" Transfer-Encoding: chunked", .refused), MutatedLine("\tTransfer-Encoding: chunked", .refused),
        MutatedLine("Transfer-Encoding : chunked", .refused), MutatedLine("Transfer-Encoding\t:\tchunked", .refused),
        MutatedLine("Transfer Encoding: chunked", .refused), MutatedLine("\"Transfer-Encoding\": chunked", .refused),
        MutatedLine("Transfer-Encoding:\r\n chunked", .refused),
        MutatedLine("Transfer-Encoding:\r\n\tchunked", .refused),
        MutatedLine("Transfer-Encoding\r\n : chunked", .refused),
        MutatedLine("Transfer-\r\nEncoding: chunked", .refused),
        MutatedLine("Transfer-Encoding:\n chunked", .refused), MutatedLine("Transfer-Encoding:\r chunked", .refused),
        MutatedLine("Transfer-Encoding: chunked\n", .refused),
        MutatedLine("A: b\nTransfer-Encoding: chunked", .refused),
        MutatedLine("A: b\rTransfer-Encoding: chunked", .refused),
        MutatedLine("A: b\n\rTransfer-Encoding: chunked", .refused),
        MutatedLine("A: b\r\n\rTransfer-Encoding: chunked", .refused),
        MutatedLine("A: b\0Transfer-Encoding: chunked", .refused),
        MutatedLine("A\r\nTransfer-Encoding: chunked", .refused),
        MutatedLine("A\0: b\r\nTransfer-Encoding: chunked", .refused),
        MutatedLine("Transfer-Encoding: chunked\r\n A: b", .refused), MutatedLine("Transfer-Encoding", .refused),
        MutatedLine("Transfer-Encoding:", .refused), MutatedLine("Transfer-Encoding: chunked, chunked", .refused),
        MutatedLine("Transfer-Encoding: chunked, identity", .refused),
        MutatedLine("Transfer-Encoding: identity", .refused),
        MutatedLine("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", .refused),
        MutatedLine("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .refused),
        MutatedLine("Transfer-Encoding: chunked;q=1", .refused), MutatedLine("Transfer-Encoding: 'chunked'", .refused),
        MutatedLine("Transfer-Encoding: \"chunked\"", .refused), MutatedLine("Transfer-Encoding: xchunked", .refused),
        MutatedLine("Transfer-Encoding: chunked x", .refused), MutatedLine("Transfer-Encoding: x chunked", .refused),
        MutatedLine("Transfer-Encoding: chunk", .refused), MutatedLine("Transfer-Encoding: chun\u{212A}ed", .refused),
        MutatedLine("Transfer-Encoding:: chunked", .refused), MutatedLine("Transfer-Encoding: = chunked", .refused),
        MutatedLine("Transfer-Encoding: {chunked}", .refused), MutatedLine("Transfer-Encoding: chunked\u{B}", .refused),
        MutatedLine("Transfer-Encoding: \u{A0}chunked", .refused),
        MutatedLine("Transfer-Encoding: chunked\u{85}", .refused),
        MutatedLine("Transfer-Encoding: \\x63hunked", .refused), MutatedLine("Transfer-Encoding: %63hunked", .refused),
    ]

    static let lengths = [
        MutatedLine("Content-Length: 44", .same), MutatedLine("content-length:044\t", .same),
        MutatedLine("Content_Length: 44", .other), MutatedLine("ContentLength: 44", .other),
        MutatedLine("Content-Length-: 44", .other), MutatedLine("A: b Content-Length: 44", .other),
        MutatedLine("X-Content-Length: 44", .other), MutatedLine("Content-Length : 44", .refused),
        MutatedLine(" Content-Length: 44", .refused), MutatedLine("Content-Length: +44", .refused),
        MutatedLine("Content-Length: 44, 44", .refused), MutatedLine("Content-Length: 4 4", .refused),
        MutatedLine("Content-Length: 44\r\nContent-Length: 44", .refused),
        MutatedLine("Content-Length: 44\r\nContent-Length: 0", .refused),
        MutatedLine("Content-Length: 0\r\nContent-Length: 44", .refused),
        MutatedLine("Content-Length:\r\n 44", .refused), MutatedLine("Content-Length: 0x2c", .refused),
        MutatedLine("Content-Length: 44\r\n 0", .refused), MutatedLine("Content-Length: 44;", .refused),
        MutatedLine("Content-Length: \u{B}44", .refused), MutatedLine("Content-Length: 44.0", .refused),
        MutatedLine("A: b\nContent-Length: 44", .refused), MutatedLine("Content-Length\0: 44", .refused),
    ]
}

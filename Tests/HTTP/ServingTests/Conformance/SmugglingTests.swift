import Testing

/// Requests of which two servers in a row may see different ends, where the second request is one that its client never sent.
///
/// Each is refused with its connection, or has the one end that RFC 9112 gives it.
@Suite("Smuggled requests")
struct SmugglingTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\n"
    /// 44 bytes, which are an empty body in chunks and a request behind it, or a body with that length.
    private static let attack = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: hhhhh\r\n\r\n"
    private static let end = ConformanceRow.end
    private static let refused = "400, closed"
    /// The outcomes of the attack: as chunks, with its length, and with neither.
    private static let asChunks = "200 POST / , 200 GET /smuggled , 200 GET /end , closed"
    private static let asLength = "200 POST / \(attack), 200 GET /end , closed"
    private static let asNothing = "200 POST / , 400, closed"

    /// A request with these lines about its body.
    private static func request(_ lines: [MutatedLine]) -> [UInt8] {
        Array(head.utf8) + lines.flatMap { $0.line + [0x0D, 0x0A] } + Array("\r\n\(attack)\(end)".utf8)
    }

    /// What RFC 9112 makes of a request with these lines.
    private static func outcome(coding: MutatedLine.Meaning, length: MutatedLine.Meaning) -> String {
        switch (coding, length) {
        case (.refused, _), (_, .refused), (.same, .same): refused
        case (.same, .other): asChunks
        case (.other, .same): asLength
        case (.other, .other): asNothing
        }
    }

    /// - Parameter cuts: The places in the lines at which the bytes are also cut.
    private static func expect(
        _ lines: [MutatedLine], _ expected: String, cuts: Range<Int> = 0..<0,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let start = head.utf8.count
        let (whole, others) = Delivery.differences(
            in: request(lines), cuts: (start + cuts.lowerBound)..<(start + cuts.upperBound))
        #expect(whole == expected, "\(lines.map(\.testDescription))", sourceLocation: location)
        #expect(others.isEmpty, "\(lines.map(\.testDescription))", sourceLocation: location)
    }

    private static let length = MutatedLine("Content-Length: 44", .same)
    private static let coding = MutatedLine("Transfer-Encoding: chunked", .same)

    @Test("The attack has the length that it states")
    func attackLength() { #expect(Self.attack.utf8.count == 44) }

    @Test(
        "Each byte at each place of a coding has one meaning, alone and beside a length",
        arguments: MutatedLine.codingPlaces)
    func codingBytes(_ place: MutatedLine.Place) {
        for line in place.lines {
            Self.expect([line], Self.outcome(coding: line.meaning, length: .other), cuts: place.cuts)
            Self.expect([line, Self.length], Self.outcome(coding: line.meaning, length: .same), cuts: place.cuts)
        }
    }

    @Test(
        "Each byte at each place of a length has one meaning, alone and beside chunks",
        arguments: MutatedLine.lengthPlaces)
    func lengthBytes(_ place: MutatedLine.Place) {
        for (byte, line) in zip(UInt8.min...UInt8.max, place.lines) {
            Self.expect([line, Self.coding], Self.outcome(coding: .same, length: line.meaning), cuts: place.cuts)
            // Another digit makes another length, which needs another body.
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { continue }
            Self.expect([line], Self.outcome(coding: .other, length: line.meaning), cuts: place.cuts)
        }
    }

    @Test("Two lines about the body have one meaning", arguments: MutatedLine.codings)
    func pairs(_ coding: MutatedLine) {
        for length in MutatedLine.lengths {
            let outcome = Self.outcome(coding: coding.meaning, length: length.meaning)
            Self.expect([coding, length], outcome)
            Self.expect([length, coding], outcome)
        }
    }

    @Test("Two codings smuggle nothing, unless one of them alone is one", arguments: MutatedLine.codings)
    func pairsOfCodings(_ first: MutatedLine) {
        for second in MutatedLine.codings {
            let bytes = Self.request([first, second])
            let (whole, others) = Delivery.differences(in: bytes, cuts: 0..<0)
            let meanings = [first.meaning, second.meaning]
            // One that is empty is no coding.
            let isOne =
                meanings.contains(.same)
                && (meanings.contains(.other) || [first, second].contains { $0.line.last == 0x3A })
            let expected =
                isOne
                ? [Self.asChunks] : meanings == [.other, .other] ? [Self.asNothing] : [Self.refused, "501, closed"]
            #expect(expected.contains(whole), "\(first.testDescription), \(second.testDescription)")
            #expect(others.isEmpty, "\(first.testDescription), \(second.testDescription)")
        }
    }

    @Test(
        "A mutated line has one outcome over a connection, however its bytes come",
        arguments: MutatedLine.codings + MutatedLine.lengths)
    func connections(_ line: MutatedLine) throws {
        let server = try TestServer()
        let isLength = MutatedLine.lengths.contains { $0.line == line.line }
        let other = isLength ? Self.coding : Self.length
        for (lines, isAlone) in [([line], true), ([line, other], false), ([other, line], false)] {
            let meanings = isAlone ? (line.meaning, .other) : (line.meaning, MutatedLine.Meaning.same)
            let expected =
                isLength
                ? Self.outcome(coding: meanings.1, length: meanings.0)
                : Self.outcome(coding: meanings.0, length: meanings.1)
            let bytes = Self.request(lines)
            #expect(try server.outcome([bytes[...]]) == expected)
            #expect(try server.outcome(bytes.indices.map { bytes[$0...$0] }) == expected)
            let start = Self.head.utf8.count
            for cut in start..<(start + line.line.count + 2) {
                try #require(try server.outcome([bytes[..<cut], bytes[cut...]]) == expected, "cut at \(cut)")
            }
        }
    }
}

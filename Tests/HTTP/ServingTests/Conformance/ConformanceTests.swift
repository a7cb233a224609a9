import Testing

@Suite("Requirements of RFC 9110 and 9112")
struct ConformanceTests {
    static let rows =
        ConformanceRow.requestLines + ConformanceRow.hosts + ConformanceRow.fields + ConformanceRow.bodies
        + ConformanceRow.chunks + ConformanceRow.connections

    @Test("A request is read in one way, however its bytes come", arguments: rows)
    func reading(_ row: ConformanceRow) {
        let bytes = Array(row.text.utf8)
        let (whole, others) = Delivery.differences(in: bytes, cuts: bytes.indices)
        #expect(whole == row.outcome)
        #expect(others.isEmpty)
    }

    @Test("A connection has one outcome, however its bytes come", arguments: rows)
    func outcome(_ row: ConformanceRow) throws {
        let server = try TestServer()
        let bytes = Array(row.text.utf8)
        #expect(try server.outcome([bytes[...]]) == row.outcome)
        #expect(try server.outcome(bytes.indices.map { bytes[$0...$0] }) == row.outcome)
        // The request at the end is the same one in each row.
        for cut in bytes.indices.dropLast(
            row.text.hasSuffix(ConformanceRow.end) ? ConformanceRow.end.utf8.count - 2 : 0)
        {
            try #require(try server.outcome([bytes[..<cut], bytes[cut...]]) == row.outcome, "cut at \(cut)")
        }
    }

    @Test("The table has no requirement twice")
    func uniqueRows() {
        #expect(Set(Self.rows.map(\.testDescription)).count == Self.rows.count)
        let texts = Dictionary(grouping: Self.rows) { $0.text + $0.outcome }
        #expect(texts.values.filter { $0.count > 1 }.map { $0.map(\.testDescription) } == [])
    }
}

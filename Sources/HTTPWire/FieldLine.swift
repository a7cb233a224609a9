import ASCII

/// The places of a header field's name and value.
struct FieldLine: Sendable {
    let name: Range<Int>
    let value: Range<Int>

    init(name: Range<Int>, value: Range<Int>) {
        self.name = name
        self.value = value
    }

    /// Reads a line without its end.
    init(_ line: ArraySlice<UInt8>) throws(WireProblem) {
        if line.first?.isSpaceOrTab == true {
            throw WireProblem(400, "a header goes on in the next line, which HTTP no longer allows")
        }
        guard let colon = line.firstIndex(of: .colon) else { throw WireProblem(400, "a header has no colon") }
        guard colon > line.startIndex, line[..<colon].allSatisfy(\.isTokenByte) else {
            throw WireProblem(400, "the name of a header is not a token")
        }
        let value = line[(colon + 1)...].trimmingSpacesAndTabs
        guard value.allSatisfy({ $0 >= .space && $0 != 0x7F || $0 == .tab }) else {
            throw WireProblem(400, "the value of \(line[..<colon].text) has a control character")
        }
        self.init(name: line.startIndex..<colon, value: value.startIndex..<value.endIndex)
    }
}

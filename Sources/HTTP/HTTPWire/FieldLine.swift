import ReqcliBasics

/// The ranges of a header field's name and value in a buffer.
struct FieldLine: Sendable {
    let name: Range<Int>
    let value: Range<Int>

    init(name: Range<Int>, value: Range<Int>) {
        self.name = name
        self.value = value
    }

    /// Reads a line. The range must not include the line's CR and LF.
    init(_ line: Range<Int>, in bytes: Span<UInt8>) throws(WireProblem) {
        if !line.isEmpty, bytes[line.lowerBound].isSpaceOrTab {
            throw WireProblem(400, "a header continues on the next line, which HTTP no longer allows")
        }
        let colon = bytes.endOfToken(from: line.lowerBound, upTo: line.upperBound)
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == .colon else {
            let hasColon = bytes.firstIndex(of: .colon, in: line) != nil
            throw WireProblem(400, hasColon ? "the name of a header is not a token" : "a header has no colon")
        }
        let value = bytes.trimmingSpacesAndTabs((colon + 1)..<line.upperBound)
        guard bytes.isFieldValue(value) else {
            throw WireProblem(400, "the value of \(bytes.text(line.lowerBound..<colon)) has a control character")
        }
        self.init(name: line.lowerBound..<colon, value: value)
    }
}

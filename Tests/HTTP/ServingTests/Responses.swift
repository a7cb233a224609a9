import Testing

/// The responses in what a client got, and how it ended, in short: `200 text, 400, closed`.
///
/// Bodies of refusals are left out. Only responses that state their length are understood.
func brief(_ received: (bytes: [UInt8], end: RawClient.End?)) -> String {
    var words: [String] = []
    var rest = String(decoding: received.bytes, as: UTF8.self)[...]
    // CR and LF are one character, but two scalars.
    let pattern = /HTTP\/1\.1 (\d+) [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/.matchingSemantics(.unicodeScalar)
    let lengthPattern = /Content-Length: (\d+)\r/.matchingSemantics(.unicodeScalar)
    while let head = rest.prefixMatch(of: pattern) {
        rest = rest[head.range.upperBound...]
        let length = head.output.0.firstMatch(of: lengthPattern).flatMap { Int($0.output.1) } ?? 0
        let body = rest[..<rest.utf8.prefix(length).endIndex]
        rest = rest[body.endIndex...]
        words.append(head.output.1 < "400" && length > 0 ? "\(head.output.1) \(body)" : String(head.output.1))
    }
    if !rest.isEmpty { words.append("?\(rest)") }
    if let end = received.end { words.append("\(end)") }
    return words.joined(separator: ", ")
}

import ReqcliBasics
import ReqcliText

extension LikelySecret {
    /// The ranges of secrets in a line of a file. Placeholders are excluded, and so is a scheme before a placeholder: nothing in
    /// "Bearer {{token}}" is secret.
    @Sendable
    package static func written(in line: [UInt8]) -> [Range<Int>] {
        // Each byte has the same offset in the text and in the line.
        let text =
            String(validating: line, as: UTF8.self)
            ?? String(decoding: line.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        return secrets(in: text).flatMap { secret -> [Range<Int>] in
            let start = text.utf8.distance(from: text.startIndex, to: secret.value.startIndex)
            return literals(start..<start + secret.value.utf8.count, in: line)
        }
    }

    /// The parts of a range around its placeholders.
    private static func literals(_ range: Range<Int>, in line: [UInt8]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for case .placeholder(let content) in TemplateReader(Array(line[range])) {
            let open = range.lowerBound + content.lowerBound - 2
            let scheme = line[start..<open]
            let isScheme =
                scheme.last == .space && scheme.dropLast().allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") }
            if !isScheme { parts.append(start..<open) }
            start = range.lowerBound + content.upperBound + 2
        }
        return (parts + [start..<range.upperBound]).filter { !$0.isEmpty }
    }
}

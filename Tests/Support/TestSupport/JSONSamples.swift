/// Random JSON texts. Valid texts use every spelling that the grammar allows; others are invalid.
package struct JSONSamples {
    package var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package mutating func document(depth: Int = 5) -> [UInt8] {
        var text: [UInt8] = []
        blank(&text)
        value(&text, depth: depth)
        blank(&text)
        return text
    }

    /// A document in which a few bytes are removed, repeated, swapped or replaced.
    package mutating func brokenDocument() -> [UInt8] {
        var text = document()
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard !text.isEmpty else { return text }
            let at = Int.random(in: 0..<text.count, using: &generator)
            let end = Int.random(in: at...min(text.count, at + 6), using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: text.removeSubrange(at..<end)
            case 1: text.insert(contentsOf: text[at..<end], at: at)
            case 2: text[at] = UInt8.random(in: 0...255, using: &generator)
            case 3: text.insert(Self.telling.randomElement(using: &generator) ?? 0, at: at)
            case 4: text[at] = Self.telling.randomElement(using: &generator) ?? 0
            default: text.removeSubrange(at...)
            }
        }
        return text
    }

    /// Random bytes that have a meaning in JSON.
    package mutating func noise() -> [UInt8] {
        (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            Bool.random(using: &generator)
                ? Self.telling.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
        }
    }

    private static let telling = Array("{}[]:,\"'\\/*#+-.0123456789eEtrufalsn u\n\r\t\u{1}\u{A0}é😀“".utf8)

    private mutating func value(_ text: inout [UInt8], depth: Int) {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: text += Array(["true", "false", "null"].randomElement(using: &generator)?.utf8 ?? "null".utf8)
        case 1, 2: number(&text)
        case 3, 4, 5: string(&text)
        case 6, 7: container(&text, depth: depth, isObject: true)
        default: container(&text, depth: depth, isObject: false)
        }
    }

    private mutating func container(_ text: inout [UInt8], depth: Int, isObject: Bool) {
        text.append(UInt8(ascii: isObject ? "{" : "["))
        blank(&text)
        for index in 0..<Int.random(in: 0...4, using: &generator) {
            if index > 0 {
                text.append(UInt8(ascii: ","))
                blank(&text)
            }
            if isObject {
                string(&text)
                blank(&text)
                text.append(UInt8(ascii: ":"))
                blank(&text)
            }
            value(&text, depth: depth - 1)
            blank(&text)
        }
        text.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    private mutating func number(_ text: inout [UInt8]) {
        let whole = ["0", "1", "-0", "-7", "42", "1234567890", "12345678901234567890"].randomElement(using: &generator)
        let fraction = ["", "", ".0", ".5", ".000123"].randomElement(using: &generator)
        let power = ["", "", "", "e1", "E+2", "e-3"].randomElement(using: &generator)
        text += Array("\(whole ?? "0")\(fraction ?? "")\(power ?? "")".utf8)
    }

    private mutating func string(_ text: inout [UInt8]) {
        let pieces = [
            "a", "b", "key", "plain text, long enough", "é", "日本", "😀", "e\u{301}", "\\n", "\\\"", "\\\\", "\\/",
            "\\u0041",
            "\\u00e9", "\\uD83D\\uDE00", "{", "]", ":", ",", " ", "//", "\u{7F}", "\u{2028}",
        ]
        text.append(UInt8(ascii: "\""))
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            text += Array((pieces.randomElement(using: &generator) ?? "").utf8)
        }
        text.append(UInt8(ascii: "\""))
    }

    private mutating func blank(_ text: inout [UInt8]) {
        let blanks = ["", "", "", " ", "\n", "  ", "\t", "\r\n"]
        text += Array((blanks.randomElement(using: &generator) ?? "").utf8)
    }
}

import Foundation
import ReqcliBasics
import ReqcliText
import TestSupport
import Testing

/// Thousands of texts by chance, cut in pieces by chance.
struct JSONPrinterFuzzTests {
    static let count = RandomInputs.count(2_000)

    enum Kind: String, CaseIterable, Sendable {
        case valid
        case broken
        case noise
    }

    private func text(_ kind: Kind, _ samples: inout JSONSamples) -> [UInt8] {
        switch kind {
        case .valid: samples.document()
        case .broken: samples.brokenDocument()
        case .noise: samples.noise()
        }
    }

    private func pieces(_ text: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        let longest = Int.random(in: 1...20, using: &generator)
        while start < text.count {
            let end = min(text.count, start + Int.random(in: 0...longest, using: &generator))
            pieces.append(Array(text[start..<end]))
            start = end
        }
        return pieces
    }

    @Test("Where a text is cut makes no difference", arguments: Kind.allCases)
    func chunks(_ kind: Kind) {
        for seed in 0..<Self.count {
            var samples = JSONSamples(seed: UInt64(seed))
            let text = text(kind, &samples)
            for (layout, colours) in [
                (JSONPrinter.Layout.indented, JSONColours.none), (.compact, .none), (.indented, .standard),
            ] {
                let whole = print([text], layout, colours: colours)
                let inPieces = print(pieces(text, &samples.generator), layout, colours: colours)
                guard whole.text == inPieces.text, whole.outcome == inPieces.outcome else {
                    Issue.record("\(kind) \(seed): \(String(decoding: text, as: UTF8.self))")
                    return
                }
            }
        }
    }

    @Test("Without blanks outside strings, what was printed is what came")
    func nothingLost() {
        for seed in 0..<Self.count {
            var samples = JSONSamples(seed: UInt64(seed))
            let text = samples.document() + samples.document()
            for layout in [JSONPrinter.Layout.indented, .compact] {
                let printed = print([text], layout)
                guard withoutBlanks(printed.text) == withoutBlanks(text),
                    print([printed.text], layout).text == printed.text
                else {
                    Issue.record("\(seed): \(String(decoding: text, as: UTF8.self))")
                    return
                }
            }
        }
    }

    @Test("Of a text that isn't JSON nothing but blanks is lost or added", arguments: Kind.allCases)
    func nothingLostOfBroken(_ kind: Kind) {
        for seed in 0..<Self.count {
            var samples = JSONSamples(seed: UInt64(seed))
            let text = text(kind, &samples)
            if print([text]).text.filter({ !$0.isJSONWhitespace }) != text.filter({ !$0.isJSONWhitespace }) {
                Issue.record("\(kind) \(seed): \(String(decoding: text, as: UTF8.self))")
                return
            }
        }
    }

    @Test("The printer and the reader agree on what is JSON", arguments: Kind.allCases)
    func agreesWithReader(_ kind: Kind) {
        for seed in 0..<Self.count {
            var samples = JSONSamples(seed: UInt64(seed))
            let text = text(kind, &samples)
            let problems = JSONDocument.read(SourceFile(name: "t", bytes: text)).problems
            // The printer doesn't look at encoding and surrogates, and takes several values.
            let counted = problems.filter {
                $0.code != .jsonEncoding && !$0.message.contains("surrogate")
                    && $0.message != "there is text after the end of the JSON value"
            }
            if counted.count < problems.count { continue }
            if (print([text]).outcome == .json) != problems.isEmpty {
                Issue.record("\(kind) \(seed): \(String(decoding: text, as: UTF8.self)) \(problems)")
                return
            }
        }
    }

    @Test("Memory does not grow with the text, nor with a token")
    func memory() {
        let million = Array(repeating: UInt8(ascii: "1"), count: 1 << 20)
        let quote = [UInt8(ascii: "\"")]
        for token in [
            million, quote + million + quote, Array("1".utf8) + Array(repeating: UInt8.space, count: 1 << 20),
        ] {
            let printed = print([Array("[".utf8), token, Array(",".utf8), token, Array("]".utf8)])
            #expect(printed.outcome == .json)
            #expect(printed.largestWrite < 1 << 18)
        }
        let deep = Array(String(repeating: "[", count: 511).utf8) + Array(String(repeating: "1,", count: 100_000).utf8)
        #expect(print([deep]).largestWrite < 8 << 20)
    }

    private func withoutBlanks(_ text: [UInt8]) -> [UInt8] {
        var isInString = false
        var isEscaped = false
        return text.filter { byte in
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == .backslash {
                    isEscaped = true
                } else if byte == .quote {
                    isInString = false
                }
                return true
            }
            isInString = byte == .quote
            return !byte.isJSONWhitespace
        }
    }
}

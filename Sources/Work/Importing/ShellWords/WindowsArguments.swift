import ReqcliBasics
import ReqcliText

/// A byte that a shell passes to a program, and its place in the source.
struct PassedByte {
    let byte: UInt8
    /// The name of a variable, if the byte is a placeholder for this variable.
    let variable: String?
    let source: Range<Int>
}

/// Splits a command line into words. On Windows, each program splits its command line itself, with the rules of Microsoft's C
/// library.
enum WindowsArguments {
    /// The words, and the place of a quote that isn't closed.
    static func split(
        _ line: [PassedByte], of file: SourceFile
    ) -> (words: [(builder: WordBuilder, end: Int)], openQuote: Range<Int>?) {
        var words: [(builder: WordBuilder, end: Int)] = []
        var openQuote: Range<Int>?
        var isInWord = false
        var index = 0
        while index < line.count {
            let passed = line[index]
            if passed.byte.isSpaceOrTab, openQuote == nil {
                isInWord = false
                index += 1
                continue
            }
            if !isInWord { words.append((WordBuilder(file, start: passed.source.lowerBound), 0)) }
            isInWord = true
            let last = words.count - 1
            if passed.byte == .backslash {
                let run = line[index...].prefix { $0.byte == .backslash }
                let isBeforeQuote = run.endIndex < line.count && line[run.endIndex].byte == .quote
                // Before a quote, two backslashes mean one backslash, and a single backslash escapes the quote. Chromium writes a
                // caret before each backslash, and doubles all backslashes.
                let isDoubled = isBeforeQuote || run.count % 2 == 0 && run.allSatisfy { $0.source.count == 2 }
                for pair in stride(from: 0, to: run.count, by: isDoubled ? 2 : 1) {
                    let escaped = index + pair + (isDoubled ? 1 : 0)
                    words[last].builder.append(
                        line[escaped].byte, from: line[index + pair].source.lowerBound..<line[escaped].source.upperBound
                    )
                }
                index = run.endIndex + (isBeforeQuote && run.count % 2 == 1 ? 1 : 0)
            } else if passed.byte == .quote {
                if openQuote != nil, index + 1 < line.count, line[index + 1].byte == .quote {
                    words[last].builder.append(
                        .quote, from: passed.source.lowerBound..<line[index + 1].source.upperBound)
                    index += 1
                } else {
                    words[last].builder.endPart()
                    openQuote = openQuote == nil ? passed.source : nil
                }
                index += 1
            } else {
                if let variable = passed.variable {
                    words[last].builder.appendVariable(variable, from: passed.source)
                } else {
                    words[last].builder.append(passed.byte, from: passed.source)
                }
                index += 1
            }
            words[last].end = line[index - 1].source.upperBound
        }
        return (words, openQuote)
    }
}

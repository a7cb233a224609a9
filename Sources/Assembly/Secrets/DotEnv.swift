/// The lines of a `.env` file: `NAME=value`, `export NAME='value'`, comments.
package enum DotEnv {
    package struct Problem: Error, Equatable {
        package let line: Int
        package let message: String
    }

    /// The variables of a file, a later line winning, and the lines that are none.
    package static func parse(_ text: String) -> (variables: [String: String], problems: [Problem]) {
        var variables: [String: String] = [:]
        var problems: [Problem] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmed
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            let assignment = trimmed.hasPrefix("export ") ? trimmed.dropFirst(7).trimmed : trimmed
            guard let equals = assignment.firstIndex(of: "="), isName(assignment[..<equals].trimmed) else {
                problems.append(Problem(line: index + 1, message: "expected NAME=value"))
                continue
            }
            guard let value = value(assignment[assignment.index(after: equals)...].trimmed) else {
                problems.append(Problem(line: index + 1, message: "the quote is never closed"))
                continue
            }
            variables[String(assignment[..<equals].trimmed)] = value
        }
        return (variables, problems)
    }

    /// Single quotes keep everything, double quotes know `\n`, `\"`, `\\` and `\$`; without quotes ` #` begins a comment.
    private static func value(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "'" || quote == "\"" else {
            var plain = text
            for index in text.indices where text[index...].hasPrefix(" #") {
                plain = text[..<index]
                break
            }
            return String(plain.trimmed)
        }
        var result = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == quote { return result }
            guard character == "\\", quote == "\"", let escaped = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch escaped {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "\"", "\\", "$": result.append(escaped)
            default: result += "\\\(escaped)"
            }
        }
        return nil
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return self[start..<end]
    }
}

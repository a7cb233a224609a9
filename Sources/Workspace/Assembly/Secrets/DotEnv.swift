import ReqcliBasics

/// The lines of a `.env` file: `NAME=value`, `export NAME='value'`, comments.
package enum DotEnv {
    package struct Problem: Error, Equatable {
        /// The position at which the line begins, in bytes.
        package let offset: Int
        package let message: String
    }

    /// Reads the variables of a file, and a problem for each invalid line. If a variable is set twice, the later line wins.
    package static func parse(_ text: String) -> (variables: [String: String], problems: [Problem]) {
        var variables: [String: String] = [:]
        var problems: [Problem] = []
        let lines = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        for line in lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            do throws(LineError) {
                if let (name, value) = try assignment(line.trimmed) { variables[name] = value }
            } catch {
                let start = line.startIndex == lines.startIndex ? text.startIndex : line.startIndex
                problems.append(
                    Problem(
                        offset: text.utf8.distance(from: text.startIndex, to: start), message: error.message))
            }
        }
        return (variables, problems)
    }

    private struct LineError: Error {
        let message: String
    }

    /// The name and value in a line; nil for an empty line or a comment.
    private static func assignment(_ line: Substring) throws(LineError) -> (String, String)? {
        if line.isEmpty || line.hasPrefix("#") { return nil }
        var rest = line
        if rest.hasPrefix("export"), rest.dropFirst(6).first?.isWhitespace == true { rest = rest.dropFirst(6).trimmed }
        guard let equals = rest.firstIndex(of: "="), rest[..<equals].trimmed.isVariableName else {
            throw LineError(message: "expected NAME=value")
        }
        let name = String(rest[..<equals].trimmed)
        let value = rest[rest.index(after: equals)...]
        guard let quote = value.trimmed.first, quote == "'" || quote == "\"" else { return (name, plain(value)) }
        return (name, try quoted(value.trimmed.dropFirst(), by: quote))
    }

    /// Reads a value without quotes. A `#` after whitespace begins a comment.
    private static func plain(_ text: Substring) -> String {
        var isAfterBlank = false
        let comment = text.firstIndex { character in
            defer { isAfterBlank = character.isWhitespace }
            return character == "#" && isAfterBlank
        }
        return String(text[..<(comment ?? text.endIndex)].trimmed)
    }

    /// Reads a value in quotes. Single quotes keep everything unchanged; double quotes allow the escapes `\n`, `\r`, `\t`, `\"`,
    /// `\\` and `\$`.
    private static func quoted(_ text: Substring, by quote: Character) throws(LineError) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            if character == quote {
                let after = rest.trimmed
                if after.isEmpty || after.hasPrefix("#") { return result }
                throw LineError(message: "found text after the closing quote")
            }
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
        throw LineError(message: "the quote is never closed")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return self[start..<end]
    }
}

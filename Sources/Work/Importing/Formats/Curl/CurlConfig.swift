import ReqcliBasics
package import ReqcliDefinitions
package import ReqcliText

/// Reads a file that a curl command names.
package typealias CurlFiles = @Sendable (String) -> Result<SourceFile, FileProblem>

/// A file of options, as `-K` reads it: a line for each option, such as `header = "Accept: */*"`.
enum CurlConfig {
    /// The arguments that the lines stand for.
    ///
    /// - Parameter place: The place of the arguments: the option that names the file.
    static func arguments(_ text: String, at place: Place) -> [ShellWord] {
        text.split(whereSeparator: \.isNewline).flatMap { words(of: String($0).trimmed, at: place) }
    }

    private static func words(of line: String, at place: Place) -> [ShellWord] {
        guard let first = line.utf8.first, first != UInt8(ascii: "#") else { return [] }
        let name = line.prefix { !$0.isWhitespace && $0 != "=" && $0 != ":" }
        let option = ShellWord(name.hasPrefix("-") ? String(name) : "--\(name)", at: place)
        var rest = line[name.endIndex...].drop(while: \.isWhitespace)
        if rest.first == "=" || rest.first == ":" { rest = rest.dropFirst().drop(while: \.isWhitespace) }
        if rest.isEmpty { return [option] }
        let value = rest.first == "\"" ? quoted(rest.dropFirst()) : String(rest.prefix { !$0.isWhitespace })
        return [option, ShellWord(value, at: place)]
    }

    private static func quoted(_ text: Substring) -> String {
        var value = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                let escapes: [Character: Character] = ["t": "\t", "n": "\n", "r": "\r", "v": "\u{0B}"]
                value.append(escapes[character] ?? character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                value.append(character)
            }
        }
        return value
    }
}

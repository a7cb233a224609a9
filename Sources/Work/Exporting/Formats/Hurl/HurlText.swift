/// Writes strings in Hurl's syntax.
enum HurlText {
    /// A string for one line. The special characters, and all characters that a line can't contain, are escaped.
    static func escaped(_ text: String, _ special: String) -> String {
        var result = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isEdge = index == 0 || index == scalars.count - 1
            let opens = scalar == "{" && index + 1 < scalars.count && scalars[index + 1] == "{"
            let closes = scalar == "{" && index > 0 && scalars[index - 1] == "{"
            switch scalar {
            case "\\": result += "\\\\"
            case _ where opens || closes: result += "\\u{7b}"
            case " " where isEdge: result += "\\u{20}"
            case "\"": result += special.contains("\"") ? "\\u{22}" : "\""
            case "`": result += special.contains("`") ? "\\u{60}" : "`"
            case "#": result += "\\u{23}"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A string in quotes.
    static func quoted(_ text: String) -> String { "\"\(escaped(text, "\""))\"" }

    /// The value of a part of a multipart body. A value that begins with `file,` gets an escape, so that Hurl doesn't read it as
    /// the name of a file.
    static func part(_ value: String) -> String {
        value.hasPrefix("file,") ? "\\u{66}\(value.dropFirst())" : value
    }

    /// The path of a file in `file,…;`.
    static func path(_ text: String) -> String {
        String(
            text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                " ;\\#\n\r\t".unicodeScalars.contains(scalar) ? ["\\", scalar] : [scalar]
            }.map(Character.init))
    }
}

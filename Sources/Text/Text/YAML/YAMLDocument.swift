import ReqcliBasics

/// Reads YAML 1.2 into the tree of a `JSONDocument`, so that all code that reads JSON can read YAML, too.
///
/// Scalars have the types of the core schema: `no` and `2020-01-01` are strings, `012` is the number 12. A value's `text` is
/// exactly as in the file, also for a key: `200`, `1.10`. An alias is a reference to the value that it names. Merged keys (`<<`)
/// are members like all others.
package enum YAMLDocument {
    /// The largest size of a text that can be read. It is limited because offsets in the text and in the decoded strings have 32
    /// bits.
    package static let largestSize = 1 << 30

    /// Reads a text of one document. `problems` lists the mistakes. Reading stops at a syntax error, and the tree then contains
    /// everything before the error.
    package static func read(_ file: SourceFile, limits: JSONReader.Limits = JSONReader.Limits()) -> JSONDocument {
        if let problem = unreadable(file) { return JSONTreeWriter(file, capacity: 0).document(problems: [problem]) }
        return file.bytes.withUnsafeBufferPointer { bytes in
            if let problem = YAMLText.firstProblem(in: bytes) {
                return JSONTreeWriter(file, capacity: 0).document(problems: [problem])
            }
            var reader = YAMLReader(bytes, limits, JSONTreeWriter(file, capacity: YAMLText.capacity(for: bytes)))
            reader.read()
            return reader.tree.document(problems: reader.problems)
        }
    }

    /// A problem because of which the file is not read at all.
    private static func unreadable(_ file: SourceFile) -> JSONProblem? {
        let head = Array(file.bytes.prefix(4))
        if file.bytes.isEmpty {
            return JSONProblem(.yamlSyntax, "the file is empty; expected a YAML value", at: 0..<0)
        }
        if file.bytes.count > largestSize { return JSONProblem(.yamlSyntax, "the text is too large", at: 0..<0) }
        let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        // YAML recognizes UTF-16 without a byte order mark by the zero byte next to the first character.
        if isUTF16 || head.count > 1 && (head[0] == 0) != (head[1] == 0) {
            return JSONProblem(.yamlEncoding, "the file is UTF-16", at: 0..<0, hint: "save the file as UTF-8")
        }
        if let offset = file.bytes.prefix(1024).firstIndex(of: 0) {
            return JSONProblem(
                .yamlEncoding, "this is a binary file, not YAML (byte \(offset) is zero)", at: 0..<0)
        }
        return nil
    }
}

extension Diagnostic.Code {
    package static let yamlSyntax: Self = "yaml.syntax"
    package static let yamlEncoding: Self = "yaml.encoding"
    package static let yamlDepth: Self = "yaml.depth"
    /// A tag, a number or another part of YAML that JSON can't express.
    package static let yamlUnsupported: Self = "yaml.unsupported"
    package static let yamlAlias: Self = "yaml.alias"
    package static let yamlDuplicate: Self = "yaml.duplicate"
}

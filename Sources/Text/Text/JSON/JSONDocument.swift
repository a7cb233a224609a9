/// A JSON text as a tree, with the position of each key and value in the text.
///
/// The tree is a tape: it has one small entry for each key and value, in the order of the text, and no copy of the text itself.
/// Key order, duplicate keys and the exact text of numbers are therefore preserved.
package final class JSONDocument: Sendable {
    package let file: SourceFile
    package let problems: [JSONProblem]
    let syntax: JSONSyntax
    let tape: JSONTape
    /// The values of scalars that aren't written as JSON; nil if the text is JSON.
    let decoded: DecodedTexts?

    init(
        file: SourceFile, syntax: JSONSyntax = .strict, tape: JSONTape = JSONTape(), decoded: DecodedTexts? = nil,
        problems: [JSONProblem]
    ) {
        self.file = file
        self.syntax = syntax
        self.tape = tape
        self.decoded = decoded
        self.problems = problems
    }

    /// The outermost value; nil if the text has no value.
    package var root: JSONValue? {
        tape.isEmpty ? nil : JSONValue(document: self, index: tape.target(0))
    }

    /// The outermost value of a text without a mistake; nil for any other text.
    package var validRoot: JSONValue? { problems.isEmpty ? root : nil }

    package var diagnostics: [Diagnostic] { problems.map { $0.diagnostic(in: file) } }
}

extension JSONDocument {
    /// The largest size of a text that can be read. It is limited because the offsets on the tape have 32 bits.
    package static let largestSize = Int(UInt32.max) - 1

    /// Reads a text. `problems` lists the mistakes, and the tree contains everything that could be understood.
    package static func read(
        _ file: SourceFile, syntax: JSONSyntax = .strict, limits: JSONReader.Limits = JSONReader.Limits()
    ) -> JSONDocument {
        if let problem = unreadable(file) { return JSONDocument(file: file, problems: [problem]) }
        return file.bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes, syntax: syntax, limits: limits)
            reader.read()
            return JSONDocument(file: file, syntax: syntax, tape: reader.tape, problems: reader.problems)
        }
    }

    /// Makes a document from a value. The depth of the value is not limited.
    package static func writing(_ value: OrderedJSON, name: String) -> JSONDocument {
        read(SourceFile(name: name, text: value.compact), limits: JSONReader.Limits(depth: .max))
    }

    /// A problem because of which the text is not read at all. Reading such a text would give a page of syntax errors.
    private static func unreadable(_ file: SourceFile) -> JSONProblem? {
        let head = Array(file.bytes.prefix(4))
        if file.bytes.isEmpty {
            return JSONProblem(.jsonSyntax, "the file is empty; expected a JSON value", at: 0..<0)
        }
        if file.bytes.count > largestSize {
            return JSONProblem(.jsonSyntax, "the text is too large", at: 0..<0)
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            return JSONProblem(.jsonEncoding, "the file is UTF-16", at: 0..<0, hint: "save the file as UTF-8")
        }
        if let offset = file.bytes.prefix(1024).firstIndex(of: 0) {
            return JSONProblem(
                .jsonEncoding, "this is a binary file, not JSON (byte \(offset) is zero)", at: 0..<0)
        }
        return nil
    }
}

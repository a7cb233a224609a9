/// A JSON text as a tree that knows the position of everything in it.
///
/// The tree is a tape: one small entry for each key and value, in the order of the text, and no copy of the text
/// itself. Key order, duplicate keys and the exact text of numbers are therefore preserved.
package final class JSONDocument: Sendable {
    package let file: SourceFile
    package let problems: [JSONProblem]
    let syntax: JSONSyntax
    let tape: JSONTape

    init(file: SourceFile, syntax: JSONSyntax = .strict, tape: JSONTape = JSONTape(), problems: [JSONProblem]) {
        self.file = file
        self.syntax = syntax
        self.tape = tape
        self.problems = problems
    }

    /// The outermost value; nil if the text holds none.
    package var root: JSONValue? {
        tape.isEmpty ? nil : JSONValue(document: self, index: 0)
    }

    package var diagnostics: [Diagnostic] { problems.map { $0.diagnostic(in: file) } }
}

extension JSONDocument {
    /// The largest text that can be read: the offsets on the tape have 32 bits.
    package static let largestSize = Int(UInt32.max) - 1

    /// Reads a text. `problems` lists the mistakes, and the tree holds everything that could be understood.
    package static func read(
        _ file: SourceFile, syntax: JSONSyntax = .strict, limits: JSONReader.Limits = JSONReader.Limits()
    ) -> JSONDocument {
        if let problem = unreadable(file) { return JSONDocument(file: file, problems: [problem]) }
        return file.bytes.withUnsafeBufferPointer { bytes in
            var builder = TapeBuilder(for: bytes)
            var reader = JSONReader(bytes, syntax: syntax, limits: limits)
            while let event = reader.next() { builder.take(event) }
            return JSONDocument(
                file: file, syntax: syntax, tape: builder.finish(at: bytes.count), problems: reader.problems)
        }
    }

    /// A problem that makes the text not worth reading, because reading it would give a page of syntax errors.
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

/// Builds the tape from the reader's events.
private struct TapeBuilder {
    private var tape = JSONTape()
    private var open: [Int] = []
    private var keyAwaitsValue = false

    init(for text: UnsafeBufferPointer<UInt8>) { tape.reserve(for: text) }

    mutating func take(_ event: JSONReader.Event) {
        keyAwaitsValue = event.kind == .key
        switch event.kind {
        case .endObject, .endArray: close(at: event.end)
        case .beginObject: push(.object, event)
        case .beginArray: push(.array, event)
        case .key: append(.string, event)
        case .string: count(.string, event)
        case .number: count(.number, event)
        case .true: count(.true, event)
        case .false: count(.false, event)
        case .null: count(.null, event)
        case .invalid: count(.invalid, event)
        }
    }

    /// The tape, with the containers that the text left open closed at its end.
    mutating func finish(at end: Int) -> JSONTape {
        if keyAwaitsValue {
            // A key always has a value on the tape, even where the text has none.
            count(.invalid, JSONReader.Event(kind: .invalid, start: end, end: end, hasEscapes: false))
        }
        while !open.isEmpty { close(at: end) }
        return tape
    }

    private mutating func append(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        tape.append(kind, event.start..<event.end, isKey: event.kind == .key, hasEscapes: event.hasEscapes)
    }

    private mutating func count(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        if let parent = open.last { tape.countItem(of: parent) }
        append(kind, event)
    }

    private mutating func push(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        if let parent = open.last { tape.countItem(of: parent) }
        open.append(tape.open(kind, at: event.start))
    }

    private mutating func close(at end: Int) {
        if let index = open.popLast() { tape.close(index, at: end) }
    }
}

/// A JSON text as a tree that knows the place of everything in it.
///
/// The tree is a tape: one small entry for each key and value, in the order of the text, and no copy of the text itself.
/// Key order, duplicate keys and the exact text of numbers are therefore all still there.
package final class JSONDocument: Sendable {
    struct Entry {
        let kind: JSONValue.Kind
        let isKey: Bool
        let hasEscapes: Bool
        let start: UInt32
        var end: UInt32
        /// The index behind this value and everything in it.
        var next: UInt32
        /// Elements of an array, members of an object.
        var count: UInt32
    }

    package let file: SourceFile
    package let problems: [JSONProblem]
    let syntax: JSONSyntax
    let entries: [Entry]

    init(file: SourceFile, syntax: JSONSyntax = .strict, entries: [Entry], problems: [JSONProblem]) {
        self.file = file
        self.syntax = syntax
        self.entries = entries
        self.problems = problems
    }

    /// The outermost value; nil if the text did not hold one.
    package var root: JSONValue? {
        entries.isEmpty ? nil : JSONValue(document: self, index: 0)
    }

    package var diagnostics: [Diagnostic] { problems.map { $0.diagnostic(in: file) } }
}

extension JSONDocument {
    /// The offsets on the tape are 32 bits wide.
    package static let largestSize = Int(UInt32.max) - 1

    /// Reads a text; what is wrong with it is told by `problems`, and the tree holds what could be understood.
    package static func read(
        _ file: SourceFile, syntax: JSONSyntax = .strict, limits: JSONReader.Limits = JSONReader.Limits()
    ) -> JSONDocument {
        if let problem = unreadable(file) { return JSONDocument(file: file, entries: [], problems: [problem]) }
        return file.bytes.withUnsafeBufferPointer { bytes in
            var builder = TapeBuilder(for: bytes.count)
            var reader = JSONReader(bytes, syntax: syntax, limits: limits)
            while let event = reader.next() { builder.take(event) }
            return JSONDocument(
                file: file, syntax: syntax, entries: builder.finish(at: bytes.count), problems: reader.problems)
        }
    }

    /// What makes a text not worth reading: each of these would otherwise be a page of syntax errors.
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

/// Lays events out as a tape.
private struct TapeBuilder {
    private var entries: [JSONDocument.Entry] = []
    private var open: [Int] = []
    private var keyAwaitsValue = false

    /// Files that people write have a key or a value in some twenty bytes.
    init(for size: Int) { entries.reserveCapacity(min(size / 16, 1 << 14)) }

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

    /// The tape, with what the text left open closed at its end.
    mutating func finish(at end: Int) -> [JSONDocument.Entry] {
        if keyAwaitsValue {
            // Keys and values always pair up, even where the value never came.
            count(.invalid, JSONReader.Event(kind: .invalid, start: end, end: end, hasEscapes: false))
        }
        while !open.isEmpty { close(at: end) }
        return entries
    }

    private mutating func append(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        entries.append(
            JSONDocument.Entry(
                kind: kind, isKey: event.kind == .key, hasEscapes: event.hasEscapes, start: UInt32(event.start),
                end: UInt32(event.end),
                next: UInt32(entries.count + 1), count: 0))
    }

    private mutating func count(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        if let parent = open.last { entries[parent].count += 1 }
        append(kind, event)
    }

    private mutating func push(_ kind: JSONValue.Kind, _ event: JSONReader.Event) {
        count(kind, event)
        open.append(entries.count - 1)
    }

    private mutating func close(at end: Int) {
        guard let index = open.popLast() else { return }
        entries[index].end = UInt32(end)
        entries[index].next = UInt32(entries.count)
    }
}

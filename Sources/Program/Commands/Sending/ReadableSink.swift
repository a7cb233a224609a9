import CommandLineKit
import Foundation
import ReqcliBasics
import ReqcliText

/// Shows a body to a person: JSON indented, anything else as text. The first character that isn't whitespace decides whether the
/// body is JSON.
///
/// A body that isn't JSON goes to a pipe unchanged.
final class ReadableSink: BodySink {
    private let output: Output
    private let colours: JSONColours
    private let isTerminal: Bool
    private let text: any BodySink
    /// Called at the end of a body that begins like JSON, but isn't.
    private let onBroken: () -> Void
    private var printer: JSONPrinter?
    private var filter = TerminalFilter()
    private var isText: Bool
    private var head: [UInt8] = []

    /// - Parameter text: The sink for a body that isn't JSON.
    init(
        _ output: Output, inColour: Bool, isTerminal: Bool, otherwise text: any BodySink, isText: Bool = false,
        onBroken: @escaping () -> Void = {}
    ) {
        self.onBroken = onBroken
        self.output = output
        self.isTerminal = isTerminal
        self.text = text
        self.isText = isText
        colours = inColour ? .standard : .none
    }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        if isText { return try text.write(chunk) }
        guard printer == nil else { return print(Array(chunk)) }
        head += chunk
        guard let first = head.first(where: { !$0.isJSONWhitespace }) else { return true }
        // Only `{` and `[` are taken for JSON. A quote or a digit may also begin plain text.
        if first == .openBrace || first == .openBracket {
            printer = JSONPrinter(layout: .indented, colours: colours)
            return print(head)
        }
        isText = true
        return try text.write(Data(head))
    }

    func finish() throws(WritingProblem) {
        if isText { return try text.finish() }
        // A body of whitespace alone is not JSON.
        guard printer != nil else {
            if !head.isEmpty { _ = try text.write(Data(head)) }
            return try text.finish()
        }
        if isTerminal { hand(filter.end()) }
        switch printer?.finish(to: { put($0) }) {
        case .passedOn?, .cutOff?: onBroken()
        case .json?, .nothing?, nil: break
        }
    }

    func abandon() {
        if isText { text.abandon() } else { _ = printer?.finish { put($0) } }
    }

    private func print(_ bytes: [UInt8]) -> Bool {
        guard isTerminal else {
            hand(bytes)
            return output.isOpen
        }
        // A carriage return is whitespace in JSON, but a terminal would return to the beginning of the line.
        hand(filter.pass(bytes.map { $0 == .carriageReturn ? .space : $0 }))
        // Writes at once, because a person is waiting for the output.
        printer?.flush { put($0) }
        return output.isOpen
    }

    private func hand(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            printer?.print(buffer) { put($0) }
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) { output.writeUnfiltered(Array(bytes)) }
}

/// Shows text on a terminal. Control characters are made harmless, and a body that is not text is not shown.
final class TextSink: BodySink {
    private let output: Output
    private let noteBinary: () -> Void
    private var filter = TerminalFilter()
    private var isBinary = false
    private var isFirst = true
    private var endsLine = true

    init(_ output: Output, noteBinary: @escaping () -> Void) {
        self.output = output
        self.noteBinary = noteBinary
    }

    func write(_ chunk: Data) -> Bool {
        guard !isBinary else { return false }
        defer { isFirst = false }
        guard !chunk.contains(where: isFirst ? Self.isNeverText : { $0 == 0 }) else {
            isBinary = true
            noteBinary()
            return false
        }
        return show(filter.pass(Array(chunk)))
    }

    func finish() {
        guard !isBinary else { return }
        _ = show(filter.end())
        // Ends the last line, so that the shell's prompt begins on a new line.
        if !endsLine { output.write("\n") }
    }

    func abandon() { finish() }

    /// Whether a byte is a control character that text never begins with, according to the program `file`. Only the beginning is
    /// checked, because a log may contain such a byte later by mistake.
    private static func isNeverText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...6, 14...26, 28...31: true
        default: false
        }
    }

    private func show(_ bytes: [UInt8]) -> Bool {
        if let last = bytes.last { endsLine = last == .lineFeed }
        return output.writeUnfiltered(bytes)
    }
}

/// Prints a note that a body is not text, and doesn't show the body.
final class BinarySink: BodySink {
    private let noteBinary: () -> Void

    init(noteBinary: @escaping () -> Void) { self.noteBinary = noteBinary }

    func write(_ chunk: Data) -> Bool {
        noteBinary()
        return false
    }

    func finish() {}
}

/// Makes text harmless to a terminal as it arrives, in chunks that may be cut anywhere.
struct TerminalFilter {
    private var tail: [UInt8] = []

    /// The text that can be shown now.
    mutating func pass(_ chunk: [UInt8]) -> [UInt8] {
        let bytes = tail + chunk
        let cut = bytes.count - Self.unfinished(bytes)
        tail = Array(bytes[cut...])
        return Self.harmless(bytes[..<cut])
    }

    /// The text that was held back because its character or line end was not complete.
    mutating func end() -> [UInt8] {
        defer { tail = [] }
        return Self.harmless(tail[...])
    }

    private static func harmless(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(TerminalText.harmless(String(decoding: bytes, as: UTF8.self), keepingLines: true).utf8)
    }

    /// The number of bytes at the end that are the start of an incomplete character or an incomplete line end.
    static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == .carriageReturn { return 1 }
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}

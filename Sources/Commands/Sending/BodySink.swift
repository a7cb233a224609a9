import CommandLineKit
import Foundation
import TerminalText

/// Where the bytes of a body go, chunk by chunk.
protocol BodySink: AnyObject {
    /// False when nobody wants more.
    func write(_ chunk: Data) throws(WritingProblem) -> Bool
    /// Called once, when the whole body was written.
    func finish() throws(WritingProblem)
}

/// Forgets them.
final class NoSink: BodySink {
    func write(_ chunk: Data) -> Bool { true }
    func finish() {}
}

/// Writes them as they are.
final class OutputSink: BodySink {
    private let output: Output

    init(_ output: Output) { self.output = output }

    func write(_ chunk: Data) -> Bool { output.write(Array(chunk)) }
    func finish() {}
}

/// Writes them to a file that appears when it is whole.
final class FileSink: BodySink {
    let file: PartialFile

    init(_ file: PartialFile) { self.file = file }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        var problem: WritingProblem?
        chunk.withUnsafeBytes { bytes in
            do throws(WritingProblem) { try file.write(bytes) } catch { problem = error }
        }
        if let problem { throw problem }
        return true
    }

    func finish() throws(WritingProblem) { try file.finish() }
}

/// Shows text on a terminal: control characters can't harm it, and what is not text is not shown.
final class TextSink: BodySink {
    private let output: Output
    private let note: (String) -> Void
    private var tail: [UInt8] = []
    private var isBinary = false
    private var endsLine = true

    init(_ output: Output, note: @escaping (String) -> Void) {
        self.output = output
        self.note = note
    }

    func write(_ chunk: Data) -> Bool {
        guard !isBinary else { return false }
        let bytes = tail + chunk
        guard !bytes.contains(0) else {
            isBinary = true
            note("the body is not text; write it to a file with --output FILE")
            return false
        }
        // A character may be cut in two by the end of a chunk.
        let cut = bytes.count - Self.unfinished(bytes)
        tail = Array(bytes[cut...])
        let text = String(decoding: bytes[..<cut], as: UTF8.self)
        endsLine = text.isEmpty ? endsLine : text.hasSuffix("\n")
        return output.write(TerminalText.harmless(text, keepingLines: true))
    }

    func finish() {
        guard !isBinary else { return }
        if !tail.isEmpty { output.write(TerminalText.harmless(String(decoding: tail, as: UTF8.self))) }
        // The prompt begins a line of its own.
        if !endsLine || !tail.isEmpty { output.write("\n") }
    }

    /// How many bytes at the end begin a character without ending it.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for back in 1...min(3, max(bytes.count, 1)) where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}

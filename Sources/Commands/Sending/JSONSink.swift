import Foundation
import JSONPrinting
import SourceText
import TerminalText

/// Shows a body to a person: JSON indented, anything else as text. Which of the two it is, its first character says.
final class ReadableSink: BodySink {
    private let output: Output
    private let colours: JSONColours
    private let text: TextSink
    private var printer: JSONPrinter?
    private var isText = false
    private var head: [UInt8] = []

    init(_ output: Output, inColour: Bool, note: @escaping (String) -> Void) {
        self.output = output
        colours = inColour ? .standard : .none
        text = TextSink(output, note: note)
    }

    func write(_ chunk: Data) -> Bool {
        if isText { return text.write(chunk) }
        guard printer == nil else { return print(Array(chunk)) }
        head += chunk
        guard let first = head.first(where: { !$0.isJSONWhitespace }) else { return true }
        // A quote or a digit may begin plain text as well; then it is passed on as it came.
        if first == .openBrace || first == .openBracket {
            printer = JSONPrinter(layout: .indented, colours: colours)
            return print(head)
        }
        isText = true
        return text.write(Data(head))
    }

    func finish() {
        if isText { return text.finish() }
        _ = printer?.finish { put($0) }
    }

    private func print(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            printer?.print(buffer) { put($0) }
        }
        return output.isOpen
    }

    private func put(_ bytes: UnsafeRawBufferPointer) { output.write(Array(bytes)) }
}

/// Keeps a body for those who need all of it at once.
final class WholeSink: BodySink {
    private(set) var bytes: [UInt8] = []

    func write(_ chunk: Data) -> Bool {
        bytes += chunk
        return true
    }

    func finish() {}
}

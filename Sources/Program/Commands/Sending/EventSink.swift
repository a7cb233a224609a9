import CommandLineKit
import Exchange
import Foundation
import ReqcliBasics
import ReqcliJSONPath
import ReqcliText

/// Passes on the events of a stream as they arrive, up to a maximum number.
final class EventSink: BodySink {
    enum Form {
        /// The bytes of the stream.
        case unchanged(any BodySink)
        /// A block for each event, for a person.
        case blocks(inColour: Bool)
        /// A JSON object for each event, on a line.
        case objects
        /// The values that the path selects from each event's JSON.
        case selection(JSONPath, BodySelection.Layout)
    }

    private let form: Form
    private let output: Output
    private let limit: Int?
    /// Called when the last wanted event has arrived.
    private let onLast: () -> Void
    private var parser: EventParser
    private(set) var count = 0
    private var lastID = ""
    /// Whether the stream had what the user asked for. False as long as a selection has found nothing.
    private(set) var hasFound = false

    init(
        _ format: EventFormat, as form: Form, _ output: Output, limit: Int?, onLast: @escaping () -> Void
    ) {
        parser = EventParser(format)
        self.form = form
        self.output = output
        self.limit = limit
        self.onLast = onLast
        if case .selection = form { return }
        hasFound = true
    }

    /// Whether the stream ended within an event. The incomplete event is left out.
    var endsInsideEvent: Bool { !isOver && parser.isInsideEvent }

    private var isOver: Bool { limit.map { count >= $0 } ?? false }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        let all = Array(chunk)
        var rest = all[...]
        while !isOver, let event = try next(in: &rest) { take(event) }
        return try pass(all[..<rest.startIndex])
    }

    func finish() throws(WritingProblem) {
        if !isOver, let last = parser.end() { take(last) }
        _ = try pass([])
        if case .unchanged(let sink) = form { try sink.finish() }
    }

    func abandon() { if case .unchanged(let sink) = form { sink.abandon() } }

    private func next(in bytes: inout ArraySlice<UInt8>) throws(WritingProblem) -> StreamEvent? {
        do throws(EventTooLarge) {
            return try parser.next(in: &bytes)
        } catch {
            throw WritingProblem("the stream has an event of more than \(error.limit >> 20) MiB")
        }
    }

    private func take(_ event: StreamEvent) {
        count += 1
        switch form {
        case .unchanged: break
        case .blocks(let inColour): showBlock(event, inColour)
        case .objects:
            let object = OrderedJSON.object([
                "event": .string(event.event), "id": .string(event.id), "data": .string(event.data),
            ])
            output.write(object.compact + "\n")
        case .selection(let path, let layout):
            // Some streams end with an event that is not JSON, such as "[DONE]".
            guard case .selected(let nodes) = BodySelection.select(path, from: Array(event.data.utf8)), !nodes.isEmpty
            else { break }
            hasFound = true
            output.write(
                layout == .array ? OrderedJSON.array(nodes).compact + "\n" : BodySelection.text(of: nodes, layout))
        }
        if isOver { onLast() }
    }

    private func pass(_ bytes: ArraySlice<UInt8>) throws(WritingProblem) -> Bool {
        guard case .unchanged(let sink) = form, !bytes.isEmpty else { return output.isOpen }
        return try sink.write(Data(bytes))
    }

    // MARK: Blocks

    private func showBlock(_ event: StreamEvent, _ inColour: Bool) {
        var head: [Styled] = []
        if event.event != "message" { head.append(field("event", event.event)) }
        if event.id != lastID { head.append(field("id", event.id)) }
        lastID = event.id
        output.write(.lines(head), inColour: inColour)
        let data = TerminalText.harmless(event.data, keepingLines: true)
        if !showJSON(Array(data.utf8), inColour) { output.writeUnfiltered(data.hasSuffix("\n") ? data : data + "\n") }
        output.write("\n")
    }

    private func field(_ name: String, _ value: String) -> Styled {
        Styled(name, .cyan) + Styled(": \(TerminalText.harmless(value))")
    }

    /// Prints data that is a JSON object or array; returns false for other data.
    private func showJSON(_ data: [UInt8], _ inColour: Bool) -> Bool {
        guard data.first == .openBrace || data.first == .openBracket,
            JSONDocument.read(SourceFile(name: "event", bytes: data)).problems.isEmpty
        else { return false }
        var printer = JSONPrinter(layout: .indented, colours: inColour ? .standard : .none)
        data.withUnsafeBytes { printer.print($0) { output.writeUnfiltered(Array($0)) } }
        _ = printer.finish { output.writeUnfiltered(Array($0)) }
        return true
    }
}

import ReqcliBasics

/// An event of a stream.
package struct StreamEvent: Hashable, Sendable {
    /// The type; "message" if the stream names no type.
    package var event = "message"
    /// The most recent id in the stream; empty if the stream has not sent an id.
    package var id = ""
    package var data: String
    /// The received bytes of the data, if they are not UTF-8; otherwise nil.
    package private(set) var invalidData: [UInt8]?

    package init(event: String = "message", id: String = "", data: String) {
        self.event = event
        self.id = id
        self.data = data
    }

    package init(event: String = "message", id: String = "", data: ArraySlice<UInt8>) {
        self.init(event: event, id: id, data: String(decoding: data, as: UTF8.self))
        if !self.data.utf8.elementsEqual(data) { invalidData = Array(data) }
    }
}

/// The format of the events in a stream.
package enum EventFormat: Sendable {
    /// `text/event-stream` of the HTML standard, section 9.2.
    case eventStream
    /// A JSON value on each line.
    case jsonLines

    /// The format that a Content-Type names; nil for a response that is not a stream of events.
    package init?(contentType: String) {
        switch MediaType(contentType).name {
        case "text/event-stream": self = .eventStream
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
            "application/jsonlines", "application/x-jsonlines", "application/json-lines", "text/x-ndjson":
            self = .jsonLines
        default: return nil
        }
    }
}

/// The error for an event that is too large to be kept in memory.
package struct EventTooLarge: Error, Equatable {
    package let limit: Int

    package init(limit: Int) { self.limit = limit }
}

/// Finds the events in a stream. The bytes of the stream arrive in chunks, which may begin and end anywhere.
///
/// ```swift
/// var parser = EventParser(.eventStream)
/// for try await chunk in response.body {
///     var rest = Array(chunk)[...]
///     while let event = try parser.next(in: &rest) { print(event.data) }
/// }
/// ```
package struct EventParser: Sendable {
    /// The maximum size of an event, in bytes.
    package static let limit = 16 << 20

    private let format: EventFormat
    private let limit: Int
    /// The beginning of a line whose end has not arrived yet.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the last line ended with a carriage return. A line feed after it then belongs to the same line end.
    private var endsWithReturn = false
    /// The event so far: its data with a line feed after each line, and its type.
    private var data: [UInt8] = []
    private var type = ""
    private var lastID = ""

    package init(_ format: EventFormat, limit: Int = Self.limit) {
        self.format = format
        self.limit = limit
    }

    /// Whether the bytes so far end inside an event that isn't complete.
    package var isInsideEvent: Bool { !data.isEmpty || !line.isEmpty && line.first != .colon }

    /// The next event; nil if the bytes so far contain no further complete event. The bytes that were read are removed from
    /// `bytes`.
    package mutating func next(in bytes: inout ArraySlice<UInt8>) throws(EventTooLarge) -> StreamEvent? {
        skipLineFeed(&bytes)
        while let end = bytes.firstIndex(where: { $0 == .lineFeed || $0 == .carriageReturn && format == .eventStream })
        {
            let rest = bytes[..<end]
            endsWithReturn = bytes[end] == .carriageReturn
            bytes = bytes[(end + 1)...]
            skipLineFeed(&bytes)
            let event: StreamEvent?
            if line.isEmpty {
                event = take(rest)
            } else {
                line += rest
                let whole = line
                line.removeAll(keepingCapacity: true)
                event = take(whole[...])
            }
            if let event { return event }
            try refuseTooMuch()
        }
        line += bytes
        bytes = []
        try refuseTooMuch()
        return nil
    }

    /// The last event of a stream that ends without a line feed. Only JSON lines can have such an event: in an event stream, each
    /// event ends with an empty line.
    package mutating func end() -> StreamEvent? {
        guard format == .jsonLines, !line.isEmpty else { return nil }
        defer { line = [] }
        return take(line[...])
    }

    private mutating func skipLineFeed(_ bytes: inout ArraySlice<UInt8>) {
        guard endsWithReturn, let first = bytes.first else { return }
        endsWithReturn = false
        if first == .lineFeed { bytes = bytes.dropFirst() }
    }

    private func refuseTooMuch() throws(EventTooLarge) {
        if line.count + data.count > limit { throw EventTooLarge(limit: limit) }
    }

    // MARK: Lines

    private mutating func take(_ line: ArraySlice<UInt8>) -> StreamEvent? {
        var line = line
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirstLine = false
        switch format {
        case .eventStream: return takeField(line)
        case .jsonLines:
            let value = line.trimmingJSONWhitespace
            return value.isEmpty ? nil : StreamEvent(data: value)
        }
    }

    private mutating func takeField(_ line: ArraySlice<UInt8>) -> StreamEvent? {
        if line.isEmpty { return takeEvent() }
        let name = line.prefix { $0 != .colon }
        var value = line[name.endIndex...].dropFirst()
        if value.first == .space { value = value.dropFirst() }
        // A line that begins with a colon is a comment. The field `retry` is for programs that connect again. Both are ignored
        // here.
        if name.elementsEqual("data".utf8) {
            data += value
            data.append(.lineFeed)
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8), !value.contains(0) {
            lastID = String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    /// Ends the event. Without a data field there is no event, and the result is nil.
    private mutating func takeEvent() -> StreamEvent? {
        defer {
            data.removeAll(keepingCapacity: data.count < 1 << 16)
            type = ""
        }
        if data.isEmpty { return nil }
        return StreamEvent(
            event: type.isEmpty ? "message" : type, id: lastID, data: data.dropLast())
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingJSONWhitespace: ArraySlice<UInt8> {
        let rest = drop(while: \.isJSONWhitespace)
        return rest.last.map(\.isJSONWhitespace) == true
            ? rest[...(rest.lastIndex { !$0.isJSONWhitespace } ?? rest.startIndex)] : rest
    }
}

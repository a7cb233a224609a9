package import ReqcliJSONPath
import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText
package import RequestBuilding
import Shapes

/// A response that is compared with another one. Can also be a file, which has only a body.
package struct ComparedResponse: Sendable {
    package struct Head: Sendable {
        package let status: Int
        package let headers: HeaderFields
        /// Whether the headers may hold a secret that isn't known.
        package let areHeadersHidden: Bool

        package init(status: Int, headers: HeaderFields, areHeadersHidden: Bool = false) {
            self.status = status
            self.headers = headers
            self.areHeadersHidden = areHeadersHidden
        }
    }

    /// The environment, the name of the file, or the number of the call.
    package let name: String
    package let head: Head?
    /// The body, with its content codings and its charset decoded.
    package let body: [UInt8]
    package let duration: Duration?
    /// Whether the body may hold a secret that isn't known.
    package let isBodyHidden: Bool

    package init(
        name: String, head: Head? = nil, body: [UInt8], duration: Duration? = nil, isBodyHidden: Bool = false
    ) {
        self.name = name
        self.head = head
        self.body = body
        self.duration = duration
        self.isBodyHidden = isBodyHidden
    }
}

/// One difference between two responses.
package struct ResponseDifference: Sendable {
    package enum Value: Sendable {
        case json(JSONValue)
        case text([UInt8])
        /// Words that describe a value which is not shown.
        case words(String)
    }

    /// The place of the difference: a JSONPath, or words such as `status` and `line 3`.
    package let place: String
    /// The value in the first response; nil if that response has none.
    package let one: Value?
    package let other: Value?

    fileprivate init(_ place: String, _ one: Value?, _ other: Value?) {
        // The place contains keys, and a key may be as long as a body.
        self.place = place.utf8.count > Self.longestPlace ? "\(place.prefix(Self.longestPlace))…" : place
        (self.one, self.other) = (one, other)
    }

    private static let longestPlace = 1000
}

/// The differences between two responses: status, body and, if requested, headers. JSON is compared by value, other text line
/// by line.
package struct ResponseComparison: Sendable {
    package struct Options: Sendable {
        /// Parts of a JSON body that are left out.
        package var ignored: [JSONPath] = []
        /// Whether only the types of JSON values are compared.
        package var comparesShape = false
        package var comparesHeaders = false
        /// The most differences that are kept; the others are only counted.
        package var mostKept = 100

        package init() {}
    }

    package let one: ComparedResponse
    package let other: ComparedResponse
    /// The differences in the order status, headers, body.
    package private(set) var differences: [ResponseDifference] = []
    package private(set) var count = 0
    /// Notes for the user: repeated keys, paths that select nothing.
    package private(set) var notes: [Wording] = []
    private let options: Options
    private let redactor: Redactor

    package var isSame: Bool { count == 0 }

    /// Throws if evaluating a path in `options.ignored` takes too much work.
    ///
    /// - Parameter redactor: A redactor for the secrets of both responses.
    package init(
        _ one: ComparedResponse, _ other: ComparedResponse, _ options: Options, _ redactor: Redactor
    ) throws(JSONPathLimit) {
        (self.one, self.other, self.options, self.redactor) = (one, other, options, redactor)
        compareHeads()
        try compareBodies()
    }

    private mutating func add(_ place: String, _ one: ResponseDifference.Value?, _ other: ResponseDifference.Value?) {
        count += 1
        if differences.count < options.mostKept { differences.append(ResponseDifference(place, one, other)) }
    }

    // MARK: Head

    private mutating func compareHeads() {
        guard let mine = one.head, let others = other.head else { return }
        if mine.status != others.status { add("status", .words("\(mine.status)"), .words("\(others.status)")) }
        if options.comparesHeaders { compareHeaders(Headers(mine), Headers(others)) }
    }

    private mutating func compareHeaders(_ mine: Headers, _ others: Headers) {
        for name in mine.names + others.names.filter({ mine.values[$0] == nil }) {
            let (left, right) = (mine.values[name], others.values[name])
            guard left?.compared != right?.compared else { continue }
            let shownName = left?.name ?? right?.name ?? name
            add("header \(shownName)", left?.shown, right?.shown)
        }
    }

    // MARK: Body

    fileprivate static let hidden = "not shown, because it may hold a secret"

    private mutating func addBody(
        _ place: String, _ mine: ResponseDifference.Value?, _ others: ResponseDifference.Value?
    ) {
        add(
            place, mine.map { one.isBodyHidden ? .words(Self.hidden) : $0 },
            others.map { other.isBodyHidden ? .words(Self.hidden) : $0 })
    }

    private enum Content {
        case nothing
        case json(JSONValue)
        case text
        case bytes

        var name: String {
            switch self {
            case .nothing: "nothing"
            case .json: "JSON"
            case .text: "text"
            case .bytes: "bytes"
            }
        }
    }

    private mutating func compareBodies() throws(JSONPathLimit) {
        let (mine, others) = (content(of: one), content(of: other))
        if case .json(let left) = mine, case .json(let right) = others { return try compare(left, right) }
        if !options.ignored.isEmpty { notes.append("--ignore had no effect: it only works if both bodies are JSON") }
        if options.comparesShape {
            if mine.name != others.name { add("body", value(mine.name), value(others.name)) }
            return
        }
        if one.body == other.body { return }
        switch (mine, others) {
        case (.text, .text): compareLines()
        case (.bytes, _), (_, .bytes): compareBytes()
        default: addBody("body", whole(mine, one), whole(others, other))
        }
    }

    private func value(_ name: String) -> ResponseDifference.Value? { name == "nothing" ? nil : .words(name) }

    /// The content of a response. Valid JSON counts as JSON. The exception is a single string, number, `true`, `false` or `null`
    /// whose `Content-Type` is not JSON: `1.0` and `1.00` in `text/plain` are different texts.
    private func content(of response: ComparedResponse) -> Content {
        if response.body.isEmpty { return .nothing }
        if let root = JSONDocument.read(SourceFile(name: response.name, bytes: response.body)).validRoot {
            let type = response.head?.headers["Content-Type"]?.lowercased() ?? "json"
            if root.kind == .object || root.kind == .array || type.contains("json") { return .json(root) }
        }
        let isText = String(validating: response.body, as: UTF8.self) != nil && !response.body.contains(0)
        return isText ? .text : .bytes
    }

    private func whole(_ content: Content, _ response: ComparedResponse) -> ResponseDifference.Value? {
        switch content {
        case .nothing: nil
        case .json(let root): .json(root)
        case .text, .bytes: .text(response.body)
        }
    }

    private mutating func compare(_ left: JSONValue, _ right: JSONValue) throws(JSONPathLimit) {
        noteRepeatedKey(left, one)
        noteRepeatedKey(right, other)
        var ignored: (expected: [JSONValue], actual: [JSONValue]) = ([], [])
        for path in options.ignored {
            let (mine, others) = (try path.nodes(in: left), try path.nodes(in: right))
            if mine.isEmpty, others.isEmpty { notes.append("--ignore \(path.text) selects nothing in either response") }
            ignored.expected += mine
            ignored.actual += others
        }
        if options.comparesShape {
            let shapes = (
                JSONShape(of: left, ignoring: ignored.expected), JSONShape(of: right, ignoring: ignored.actual)
            )
            let comparison = ShapeComparison(shapes.0, shapes.1)
            for pair in comparison.pairs where pair.one?.types != pair.other?.types {
                add(
                    comparison.path(of: pair), pair.one.map { .words($0.types.text) },
                    pair.other.map { .words($0.types.text) })
            }
        } else {
            let limits = JSONComparison.Limits(kept: options.mostKept, counted: .max)
            add(JSONComparison(.equality, expected: left, actual: right, ignoring: ignored, limits: limits))
        }
    }

    private mutating func add(_ comparison: JSONComparison) {
        for difference in comparison.kept {
            let path = JSONPath.short(difference.steps)
            switch difference.kind {
            case .changed(let mine, let others): addBody(path, .json(mine), .json(others))
            case .missing(let value): addBody(path, .json(value), nil)
            case .unexpected(let value, _): addBody(path, nil, .json(value))
            // Can't occur, because only partial equality has this difference.
            case .notIncluded: break
            }
        }
        count += comparison.count - comparison.kept.count
    }

    /// Notes a repeated key, because JSON readers disagree about which value of a repeated key counts.
    private mutating func noteRepeatedKey(_ root: JSONValue, _ response: ComparedResponse) {
        guard let object = root.descendants.first(where: { $0.repeatedKey != nil }), let key = object.repeatedKey
        else { return }
        let path = object.shortPath(in: root) ?? "$"
        notes.append(
            "the body of \(response.name) has the key \(key.text.prefix(60)) more than once in \(path.prefix(200)); "
                + "only the last value is compared")
    }

    private mutating func compareLines() {
        let (mine, others) = (lines(of: one), lines(of: other))
        let steps = Alignment.steps(mine.count, others.count) { mine[$0].bytes == others[$1].bytes }
        for case .different(let less, let more) in steps {
            for index in 0..<max(less.count, more.count) {
                let left = index < less.count ? mine[less.lowerBound + index] : nil
                let right = index < more.count ? others[more.lowerBound + index] : nil
                // The line's number in the second text, or in the first text if the second lacks the line. Indexes of list
                // elements follow the same rule.
                let number = (right == nil ? less : more).lowerBound + index + 1
                addBody("line \(number)", left.map { .text($0.shown) }, right.map { .text($0.shown) })
            }
        }
    }

    private struct Line {
        let bytes: ArraySlice<UInt8>
        /// The label of a secret of several lines, such as a private key, if this line is part of the secret. The redactor would
        /// not recognise a single line of the secret.
        let label: String?

        var shown: [UInt8] { label.map { Array("<\($0)>".utf8) } ?? Array(bytes) }
    }

    private func lines(of response: ComparedResponse) -> [Line] {
        let lines = response.body.split(separator: 0x0A, omittingEmptySubsequences: false)
        var secrets = redactor.matches(in: response.body).filter { response.body[$0.range].contains(0x0A) }[...]
        return lines.map { line in
            while let first = secrets.first, first.range.upperBound <= line.startIndex { secrets.removeFirst() }
            let secret = secrets.first.flatMap { $0.range.overlaps(line.startIndex..<line.endIndex) ? $0 : nil }
            return Line(bytes: line, label: secret.map { redactor.secrets[$0.secret].label })
        }
    }

    /// Compares bodies that are not text. Their bytes are not shown, because they are unreadable and secrets in them can't be
    /// found.
    private mutating func compareBytes() {
        let shared = zip(one.body, other.body).prefix { $0 == $1 }.count
        add("byte \(shared + 1)", .words("\(one.body.count) bytes"), .words("\(other.body.count) bytes"))
    }
}

/// The headers of a response that can be compared with those of another one.
private struct Headers {
    struct Header {
        let name: String
        /// The values to compare. A cookie has a new value in each call, so only its name and its attributes are compared.
        var compared: [String] = []
        fileprivate var text = ""
        fileprivate let isHidden: Bool

        var shown: ResponseDifference.Value { isHidden ? .words(ResponseComparison.hidden) : .text(Array(text.utf8)) }
    }

    private(set) var names: [String] = []
    private(set) var values: [String: Header] = [:]

    init(_ head: ComparedResponse.Head) {
        for field in head.headers.lasting {
            let key = field.name.lowercased()
            if values[key] == nil { names.append(key) }
            var header = values[key] ?? Header(name: field.name, isHidden: head.areHeadersHidden)
            let masked = LikelySecret.isHeader(field.name) ? field.maskedValue : field.value
            header.compared.append(key.hasPrefix("set-cookie") ? masked : field.value)
            header.text += (header.text.isEmpty ? "" : ", ") + masked
            values[key] = header
        }
    }
}

// MARK: - Showing

extension ResponseComparison {
    /// The place of a difference, and both values on one line each, without secrets; nil for a missing value. Long values are
    /// cut around the first character in which they differ.
    package func texts(
        of difference: ResponseDifference, width: Int
    ) -> (place: String, one: String?, other: String?) {
        let excerpts = Excerpts(redactor, width: width)
        let place = excerpts.shown(Array(difference.place.utf8))
        switch (difference.one, difference.other) {
        case (.json(let mine), .json(let others)):
            let pair = excerpts.pair(mine, others)
            return (place, pair.0.text, pair.1.text)
        case (.text(let mine), .text(let others)):
            let stretch = Stretch(mine, others)
            let quoted = [stretch.one, stretch.other].map {
                JSONStringText.quoted(String(decoding: redactor.redact($0), as: UTF8.self))
            }
            let pair = TextWindow.around(
                TerminalText.harmless(quoted[0]), TerminalText.harmless(quoted[1]), width: width)
            return (place, pair.0, pair.1)
        default:
            return (place, difference.one.map { $0.text(excerpts) }, difference.other.map { $0.text(excerpts) })
        }
    }

    /// A difference as JSON for programs, without secrets.
    package func json(of difference: ResponseDifference) -> OrderedJSON {
        .object([
            "at": .string(redactor.redact(difference.place)), "first": difference.one.map { $0.json(redactor) },
            "second": difference.other.map { $0.json(redactor) },
        ])
    }
}

extension ResponseDifference.Value {
    fileprivate func text(_ excerpts: Excerpts) -> String {
        switch self {
        case .json(let value): excerpts.json(value).text
        case .text(let bytes): excerpts.text(bytes).text
        case .words(let words): TerminalText.truncated(words, to: excerpts.width)
        }
    }

    fileprivate func json(_ redactor: Redactor) -> OrderedJSON {
        switch self {
        case .words(let words): return .string(words)
        case .text(let bytes): return .string(String(decoding: redactor.redact(bytes), as: UTF8.self))
        case .json(let value):
            let text = redactor.redact(value.compactBytes(atMost: .max).bytes)
            let document = JSONDocument.read(SourceFile(name: "", bytes: text))
            // If a mask has replaced a number, the text is not valid JSON any more.
            guard let root = document.validRoot else {
                return .string(String(decoding: text, as: UTF8.self))
            }
            return OrderedJSON(root)
        }
    }
}

import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The text of a script, and the place of each line.
struct PostmanScript {
    enum Kind {
        case test, preRequest
    }

    let kind: Kind
    let text: String
    /// The offset of each line in the text, and the JSON string that contains the line.
    private let lines: [(start: Int, value: JSONValue)]

    /// Fails for an event that does nothing.
    init?(_ event: JSONValue) {
        let kinds: [String: Kind] = ["test": .test, "prerequest": .preRequest]
        guard let kind = kinds[event["listen"]?.string ?? ""], event["disabled"]?.bool != true else { return nil }
        self.init(kind, event["script"]?["exec"] ?? event["script"])
    }

    /// Fails for a text that does nothing.
    ///
    /// - Parameter source: A string, or a list with a string for each line.
    init?(_ kind: Kind, _ source: JSONValue?) {
        guard let source else { return nil }
        self.kind = kind
        var text = ""
        var lines: [(start: Int, value: JSONValue)] = []
        for value in source.kind == .string ? [source] : Array(source.elements) {
            guard let line = value.string else { continue }
            lines.append((text.utf8.count, value))
            text += line + "\n"
        }
        if text.utf8.allSatisfy(\.isJSONWhitespace) { return nil }
        self.text = text
        self.lines = lines
    }

    /// Finds the places of statements. This is fast if the statements are looked up in the order of the text.
    struct Places {
        private let lines: [(start: Int, value: JSONValue)]
        private var line = 0
        private var offset = 0
        private var offsets: JSONValue.TextOffsets?

        init(_ script: PostmanScript) { lines = script.lines }

        /// The place of a range, up to the end of its line.
        mutating func place(of range: Range<Int>) -> Place? {
            var next = range.lowerBound < offset ? 0 : line
            while next + 1 < lines.count, lines[next + 1].start <= range.lowerBound { next += 1 }
            guard lines.indices.contains(next) else { return nil }
            if next != line || range.lowerBound < offset { offsets = nil }
            line = next
            offset = range.lowerBound
            var found = offsets ?? lines[line].value.textOffsets
            let start = found.source(ofText: range.lowerBound - lines[line].start)
            offsets = found
            let end = found.source(ofText: range.upperBound - lines[line].start)
            return Place(lines[line].value.place.file, start..<max(start, end))
        }
    }
}

/// The tests, captures and params that a script adds to the requests below it.
struct PostmanFindings {
    /// The tests that are completely understood.
    var tests: [Test] = []
    var captures: [ImportedCapture] = []
    /// Params with defaults. They come from constants that a script sets and that have other values in other scripts.
    var params: [ImportedParam] = []

    struct Test {
        let name: String
        let conditions: [ExpectDraft.Condition]
        let place: Place?
    }
}

extension PostmanRequestReader {
    mutating func apply(_ scripts: [PostmanFindings]) {
        for test in scripts.flatMap(\.tests) where !expect.add(test.conditions) {
            notes.append(
                ConversionNote(
                    .lost, "a test can't be combined with the other tests of its request", test.name, at: test.place))
        }
        request.expect = expect.json
        var later: Set<String> = []
        request.captures = (request.captures + scripts.flatMap(\.captures)).reversed()
            .filter { later.insert($0.name).inserted }.reversed()
        var known = Set(request.params.map(\.name))
        request.params += scripts.flatMap(\.params).filter { known.insert($0.name).inserted }
    }
}

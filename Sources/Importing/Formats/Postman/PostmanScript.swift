import ASCII
import SourceText

/// The text of a script, and where each line of it stands.
struct PostmanScript {
    enum Kind {
        case test, preRequest
    }

    let kind: Kind
    let text: String
    /// The offset of each line in the text, and the JSON string that holds it.
    private let lines: [(start: Int, value: JSONValue)]

    /// Fails for an event that does nothing.
    init?(_ event: JSONValue) {
        switch event["listen"]?.string {
        case "test"?: kind = .test
        case "prerequest"?: kind = .preRequest
        default: return nil
        }
        guard let source = event["script"]?["exec"] ?? event["script"], event["disabled"]?.bool != true else {
            return nil
        }
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

    /// The place where a statement begins, up to its end or that of the line.
    func place(of range: Range<Int>) -> Place? {
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle].start <= range.lowerBound { low = middle } else { high = middle }
        }
        guard lines.indices.contains(low) else { return nil }
        let start = lines[low].start
        return lines[low].value.place(
            ofText: range.lowerBound - start..<max(range.lowerBound, range.upperBound) - start)
    }
}

/// What a script means for the requests below it.
struct PostmanFindings {
    /// The tests that are wholly understood.
    var tests: [Test] = []
    var captures: [OrderedJSON.Member] = []
    /// Params with defaults: constants that a script sets and that differ from those of other scripts.
    var params: [OrderedJSON.Member] = []

    struct Test {
        let name: String
        let conditions: [ExpectDraft.Condition]
        let place: Place?
    }
}

extension PostmanRequestReader {
    mutating func apply(_ findings: PostmanFindings) {
        for test in findings.tests where !expect.add(test.conditions) {
            notes.append(
                ImportNote(.lost, "a test can't stand beside the other ones of its request", test.name, at: test.place))
        }
        request.expect = expect.json
        for capture in findings.captures {
            request.captures.removeAll { $0.name == capture.name }
            request.captures.append(capture)
        }
        request.params += findings.params.filter { param in !request.params.contains { $0.name == param.name } }
    }
}

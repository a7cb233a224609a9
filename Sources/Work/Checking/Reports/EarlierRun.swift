import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// The cases of an earlier run that did not pass, read from its JSON or JUnit report for `--failed`.
package struct EarlierRun: Sendable, Equatable {
    /// The name of the report, for messages.
    package let name: String
    /// The environments in which the cases ran: one, unless reports were joined.
    package private(set) var environments: Set<String> = []
    /// The ids of all cases that did not pass, as reports write them, in the order of the report.
    package private(set) var notPassed: [String] = []

    /// - Throws: A failure if the file is not such a report.
    package init(_ file: SourceFile) throws(Failure) {
        name = file.name
        switch file.bytes.first(where: { !$0.isJSONWhitespace && !Self.byteOrderMark.contains($0) }) {
        case UInt8(ascii: "{"): try readJSON(file)
        case UInt8(ascii: "<"): try read(XMLTags(file.bytes))
        default: throw unreadable
        }
    }

    /// The form of an id in which all reports agree.
    static func written(_ id: String) -> String { TerminalText.harmless(id) }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var unreadable: Failure {
        Failure(
            .usage, code: .earlierReportInvalid, "\"\(name)\" is not a JSON or JUnit report of check",
            hint: "write one with --report json=FILE or --report junit=FILE")
    }

    private mutating func readJSON(_ file: SourceFile) throws(Failure) {
        let run: RunResult
        do throws(UnreadableReport) {
            run = try RunResult(reading: file)
        } catch {
            throw unreadable
        }
        if let gap = run.gaps.first {
            throw Failure(
                .usage, code: .earlierReportInvalid,
                "\"\(name)\" does not name all cases that did not pass: \(gap.message)",
                hint: "merge all parts of the run, or leave out --failed to run all cases")
        }
        environments.insert(run.environment)
        notPassed = run.cases.filter { $0.verdict != .passed }.map { Self.written($0.id) }
    }

    /// A test case with an element inside, such as `failure`, `error` or `skipped`, did not pass.
    private mutating func read(_ tags: XMLTags) throws(Failure) {
        var tags = tags
        var open: String?
        var isReport = false
        while let tag = tags.next() {
            switch tag.name {
            case "testsuites", "testsuite": isReport = true
            case "property" where tag["name"] == "environment": tag["value"].map { _ = environments.insert($0) }
            case "testcase":
                guard let id = tag["name"] else { throw unreadable }
                open = tag.isEmpty ? nil : id
            case "/testcase": open = nil
            case "failure", "error", "skipped":
                // A step that was passed over says why.
                let isPassedOver = tag.name == "skipped" && tag["message"] != nil
                if let open { add(open, isPassedOver: isPassedOver) }
                open = nil
            default: break
            }
        }
        guard isReport, tags.isAtEnd else { throw unreadable }
    }

    /// Adds the id of a test case, which in place of a scenario has its steps: `scenario:checkout#2/pay`.
    private mutating func add(_ id: String, isPassedOver: Bool) {
        guard id.hasPrefix(LocatedScenario.prefix) else { return notPassed.append(id) }
        let scenario = String(id.prefix { $0 != "/" })
        if !isPassedOver, notPassed.last != scenario { notPassed.append(scenario) }
    }
}

/// The tags of an XML text, without checks whether they match: enough to find elements and their attributes.
private struct XMLTags: IteratorProtocol {
    struct Tag {
        /// With a slash in front for the end of an element.
        let name: String
        let attributes: [(name: String, value: String)]
        /// Whether the element has no content: `<skipped/>`.
        let isEmpty: Bool

        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    private var rest: Substring.UTF8View
    /// Whether the whole text was read.
    private(set) var isAtEnd = false

    init(_ bytes: [UInt8]) { rest = String(decoding: bytes, as: UTF8.self)[...].utf8 }

    /// The next tag; nil at the end, or where the text is not XML.
    mutating func next() -> Tag? {
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: start)...]
            guard let end = skipped() else { return tag() }
            if !end { return nil }
        }
        isAtEnd = true
        return nil
    }

    /// Skips a comment, a text section or a declaration. Nil for a tag, false if it does not end.
    private mutating func skipped() -> Bool? {
        let kinds = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")]
        guard let (_, end) = kinds.first(where: { rest.starts(with: $0.0.utf8) }) else { return nil }
        guard let range = Substring(rest).firstRange(of: end) else { return false }
        rest = rest[range.upperBound...]
        return true
    }

    private mutating func tag() -> Tag? {
        let name = word()
        var attributes: [(name: String, value: String)] = []
        while true {
            skipWhitespace()
            switch rest.first {
            case UInt8(ascii: ">"):
                rest.removeFirst()
                return Tag(name: name, attributes: attributes, isEmpty: false)
            case UInt8(ascii: "/"):
                rest.removeFirst()
                guard rest.popFirst() == UInt8(ascii: ">") else { return nil }
                return Tag(name: name, attributes: attributes, isEmpty: true)
            default:
                guard let attribute = attribute() else { return nil }
                attributes.append(attribute)
            }
        }
    }

    private mutating func attribute() -> (name: String, value: String)? {
        let name = word()
        skipWhitespace()
        guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
        skipWhitespace()
        guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = rest.firstIndex(of: quote)
        else { return nil }
        let value = Markup.unescaped(Substring(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        return (name, value)
    }

    private mutating func skipWhitespace() { rest = rest.drop(while: \.isJSONWhitespace) }

    /// A name, with the slash of an end tag in front.
    private mutating func word() -> String {
        let slash = rest.first == UInt8(ascii: "/") ? "/" : ""
        let body = rest.dropFirst(slash.utf8.count)
        let name = body.prefix { !$0.isJSONWhitespace && !"=/>\"'<".utf8.contains($0) }
        rest = body[name.endIndex...]
        return slash + String(Substring(name))
    }
}

extension Diagnostic.Code {
    package static let earlierReportInvalid: Self = "check.earlierReportInvalid"
}

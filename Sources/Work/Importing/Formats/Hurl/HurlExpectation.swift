import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Converts the expectations and the captures of a Hurl entry.
struct HurlExpectation {
    private(set) var expect: OrderedJSON?
    private(set) var captures: [ImportedCapture] = []
    private(set) var notes: [ConversionNote] = []
    private var draft = ExpectDraft()
    private var statuses = StatusSet()
    private var maxTime: Int?

    init(_ response: HurlResponse?) {
        guard let response else { return }
        if let status = Int(response.status) { statuses.narrow { $0 == status } }
        if response.version.hasPrefix("HTTP/") {
            lose("the version of HTTP is not checked", response.version, at: response.place)
        }
        for header in response.message.headers { add(header) }
        for section in response.message.sections {
            switch section.name {
            case "Asserts": for statement in section.statements { add(statement) }
            case "Captures": for statement in section.statements { capture(statement) }
            default: lose("an unknown section is not converted", "[\(section.name)]", at: section.place)
            }
        }
        if let body = response.message.body { add(body.content, at: body.place) }
        addStatus(of: response)
        if let maxTime, case .string(let text) = OrderedJSON.milliseconds(maxTime) {
            _ = draft.add([.maxTime(text)])
        }
        expect = draft.json
    }

    /// Adds the status. An `expect` without a status requires 2xx, but Hurl accepts any status.
    private mutating func addStatus(of response: HurlResponse) {
        var isAny = statuses.isAny
        if !isAny, let values = statuses.values {
            _ = draft.add([.status(values)])
        } else if !isAny {
            isAny = true
            lose(
                "a condition on the status can't be written as status codes and classes such as \"2xx\"",
                at: response.place)
        }
        if isAny, draft.json != nil || maxTime != nil {
            _ = draft.add([.status(["2xx", "3xx", "4xx", "5xx"])])
        }
    }

    private mutating func lose(_ message: String, _ detail: String? = nil, at place: Place) {
        notes.append(ConversionNote(.lost, message, detail, at: place))
    }

    // MARK: Headers and bodies

    private mutating func add(_ header: HurlPair) {
        guard let name = header.name.literal else {
            return lose("a header with a template in its name is not checked", at: header.place)
        }
        if !draft.add([.header(name, ExpectDraft.Operation("equals", .string(header.value.text)))]) {
            lose("a header is expected twice; the second condition is not checked", name, at: header.place)
        }
    }

    private mutating func add(_ body: HurlBody, at place: Place) {
        guard case .text(let text, let language) = body else {
            return lose("a body that is a file or a list of bytes is not compared", at: place)
        }
        var operand = OrderedJSON.string(text.text)
        if language == "json" {
            guard let json = TemplateJSON(text) else {
                return lose("the expected body is not JSON, and is not compared", at: place)
            }
            operand = json.value
        }
        if !draft.add([.body(ExpectDraft.Operation("equals", operand))]) {
            lose("the body is not compared if there are other conditions on the body", at: place)
        }
    }

    // MARK: Assertions

    private mutating func add(_ statement: HurlStatement) {
        if let patterns = HurlStatuses.patterns(statement.tokens) {
            return statuses.narrow { status in patterns.contains { $0.contains(status) } }
        }
        var reader = HurlStatementReader(statement.tokens)
        guard let query = reader.query(), let predicate = reader.predicate() else {
            return lose(
                "an assertion is not converted", reader.loss ?? reader.word, at: statement.place)
        }
        let isAdded: Bool
        switch query {
        case .status: isAdded = addStatus(predicate)
        case .duration: isAdded = addDuration(predicate)
        case .header(let name):
            isAdded =
                Self.headerOperations.contains(predicate.operation) && draft.add([.header(name, predicate.written)])
        case .body:
            let predicate = predicate.operation == "length" ? predicate.asEmptiness : predicate
            isAdded =
                predicate.map { Self.bodyOperations.contains($0.operation) && draft.add([.body($0.written)]) }
                ?? false
        case .json(let path): isAdded = draft.add([.json(path, predicate.written)])
        case .cookie, .url: isAdded = false
        }
        if !isAdded {
            lose("an assertion is not converted", "\(reader.word) \(predicate.operation)", at: statement.place)
        } else if let approximation = predicate.approximation {
            notes.append(ConversionNote(.approximated, approximation, at: statement.place))
        }
    }

    private static let headerOperations: Set = ["equals", "contains", "startsWith", "endsWith", "matches", "exists"]
    private static let bodyOperations: Set = ["equals", "contains", "startsWith", "endsWith", "matches", "empty"]

    private mutating func addStatus(_ predicate: HurlPredicate) -> Bool {
        guard case .number(let text) = predicate.operand, let limit = Int(text) else { return false }
        let holds: (Int) -> Bool
        switch predicate.operation {
        case "equals": holds = { $0 == limit }
        case "<": holds = { $0 < limit }
        case "<=": holds = { $0 <= limit }
        case ">": holds = { $0 > limit }
        case ">=": holds = { $0 >= limit }
        default: return false
        }
        statuses.narrow { holds($0) != predicate.isNegated }
        return true
    }

    private mutating func addDuration(_ predicate: HurlPredicate) -> Bool {
        guard case .number(let text) = predicate.operand, let limit = Int(text), limit > 0, !predicate.isNegated,
            predicate.operation == "<" || predicate.operation == "<="
        else { return false }
        maxTime = min(maxTime ?? limit, limit)
        return true
    }

    // MARK: Captures

    private func name(of statement: HurlStatement) -> String { ParamNames.clean(statement.name ?? "") }

    private mutating func capture(_ statement: HurlStatement) {
        let name = name(of: statement)
        var tokens = statement.tokens
        let isRedacted = tokens.last == .word("redact")
        if isRedacted { tokens.removeLast() }
        if tokens.count == 4, tokens[0] == .word("header"), case .text(let header) = tokens[1],
            tokens[2] == .word("regex"), case .text(let pattern) = tokens[3], let field = header.literal,
            let match = pattern.literal.flatMap({ ForeignPattern.inGroup($0) })
        {
            return captures.append(ImportedCapture(name, .header(field, match: match), isSecret: isRedacted))
        }
        var reader = HurlStatementReader(tokens)
        guard let query = reader.query(), reader.isAtEnd, !reader.counts else {
            let detail = reader.loss ?? reader.word
            return lose(
                "a capture is not converted; requests that use \"\(name)\" get a param instead", detail,
                at: statement.place)
        }
        func add(_ source: ImportedCapture.Source, isSecret: Bool) {
            captures.append(ImportedCapture(name, source, isSecret: isSecret))
        }
        switch query {
        case .json(let path): add(.json(path), isSecret: isRedacted)
        case .header(let header): add(.header(header), isSecret: isRedacted)
        case .cookie(let cookie) where !cookie.contains("["): add(.cookie(cookie), isSecret: false)
        case .body: add(.body, isSecret: isRedacted)
        case .status: add(.status, isSecret: isRedacted)
        case .url: add(.url, isSecret: isRedacted)
        case .cookie, .duration:
            return lose(
                "a capture is not converted; requests that use \"\(name)\" get a param instead", reader.word,
                at: statement.place)
        }
    }
}

extension HurlPredicate {
    fileprivate var written: ExpectDraft.Operation { ExpectDraft.Operation(operation, operand, isNegated: isNegated) }
}

/// Statuses as a regular expression: `status toString matches "^(200|4[0-9][0-9])$"`.
enum HurlStatuses {
    static func patterns(_ tokens: [HurlToken]) -> [ClosedRange<Int>]? {
        guard tokens.count == 4, tokens[0] == .word("status"), tokens[1] == .word("toString"),
            tokens[2] == .word("matches"), case .text(let text) = tokens[3], let pattern = text.literal,
            pattern.hasPrefix("^("), pattern.hasSuffix(")$")
        else { return nil }
        let parts = pattern.dropFirst(2).dropLast(2).split(separator: "|", omittingEmptySubsequences: false)
        let ranges = parts.compactMap { part -> ClosedRange<Int>? in
            let isClass = part.hasSuffix("[0-9][0-9]")
            guard let number = Int(isClass ? part.dropLast(10) : part[...]), (1...599).contains(number) else {
                return nil
            }
            return isClass ? number * 100...number * 100 + 99 : number...number
        }
        return ranges.count == parts.count ? ranges : nil
    }
}

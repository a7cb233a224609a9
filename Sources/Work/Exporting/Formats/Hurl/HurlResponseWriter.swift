import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Writes the part of a Hurl entry about its response: the expectations and the captures.
struct HurlResponseWriter {
    private let request: OpenRequest

    init(_ request: OpenRequest) { self.request = request }

    private static let operations: Set<Matcher.Operation> = [
        .equals, .type, .matches, .contains, .startsWith, .endsWith, .length, .exists, .empty, .less, .lessOrEqual,
        .greater, .greaterOrEqual,
    ]

    func lines(_ writer: inout TemplateWriter) -> [String] {
        var captures: [String] = []
        for capture in request.endpoint.definition.captures {
            guard let query = Self.query(capture.value) else {
                writer.notes.append(
                    ConversionNote(
                        .lost, "captures of this kind are not converted", "\(capture.name) of \(request.endpoint.id)",
                        at: capture.namePlace))
                continue
            }
            captures.append("\(writer.names.capture(capture.name, of: request)): \(query)")
        }
        var asserts: [String] = []
        var status = "HTTP *"
        let statuses = request.statuses
        if statuses.count == 1, statuses[0].count == 1 {
            status = "HTTP \(statuses[0].lowerBound)"
        } else if statuses.count == 1 {
            asserts += ["status >= \(statuses[0].lowerBound)", "status <= \(statuses[0].upperBound)"]
        } else if !statuses.isEmpty {
            let words = statuses.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound / 100)[0-9][0-9]" }
            asserts.append("status toString matches \"^(\(words.joined(separator: "|")))$\"")
        }
        if let time = request.expectation?.maxTime?.value {
            asserts.append("duration <= \(Int(time / .milliseconds(1)))")
        }
        var notes: [ConversionNote] = []
        let conditions = writer.maker.conditions(of: request, Self.operations, takesEveryItem: false, &notes)
        for condition in conditions {
            if let lines = self.asserts(condition, &writer) {
                asserts += lines
            } else {
                notes.append(
                    ConversionNote(
                        .lost, "conditions with \"\(condition.operation.rawValue)\" are not converted",
                        request.endpoint.id, at: condition.place))
            }
        }
        writer.notes += notes
        guard !captures.isEmpty || !asserts.isEmpty || status != "HTTP *" else { return [] }
        return [status] + (captures.isEmpty ? [] : ["[Captures]"] + captures)
            + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
    }

    static func query(_ capture: Capture) -> String? {
        switch capture.source {
        case .json(let path): "jsonpath \(HurlText.quoted(path.value))"
        case .header(let name):
            "header \(HurlText.quoted(name.value))"
                + (capture.match.map { " regex \(HurlText.quoted("(\($0.value))"))" } ?? "")
        case .cookie(let name): "cookie \(HurlText.quoted(name.value))"
        case .body: "body"
        case .status: "status"
        case .url: "url"
        case nil: nil
        }
    }

    private func asserts(_ condition: OpenCondition, _ writer: inout TemplateWriter) -> [String]? {
        let subject =
            switch condition.subject {
            case .header(let name): "header \(HurlText.quoted(name))"
            case .body: "body"
            case .json(let path, _): "jsonpath \(HurlText.quoted(path))"
            }
        let not = condition.isNegated ? " not" : ""
        switch condition.operation {
        case .equals: return value(condition.operand, &writer).map { ["\(subject)\(not) == \($0)"] }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return value(condition.operand, &writer).map {
                ["\(subject)\(not) \(condition.operation.rawValue) \($0)"]
            }
        case .contains, .startsWith, .endsWith, .matches:
            return value(condition.operand, &writer).map {
                ["\(subject)\(not) \(condition.operation.rawValue) \($0)"]
            }
        case .exists:
            let isThere = (condition.operand == true) != condition.isNegated
            return ["\(subject)\(isThere ? "" : " not") exists"]
        case .empty:
            let isEmpty = (condition.operand == true) != condition.isNegated
            return ["\(subject)\(isEmpty ? "" : " not") isEmpty"]
        case .type:
            let words = [
                "string": "isString", "integer": "isInteger", "number": "isNumber", "boolean": "isBoolean",
                "array": "isList", "object": "isObject", "null": "== null",
            ]
            return words[condition.operand.plainText].map { ["\(subject)\(not) \($0)"] }
        case .length:
            guard case .object(let members) = condition.operand else {
                return ["\(subject) count\(not) == \(condition.operand.compact)"]
            }
            return condition.isNegated && members.count > 1
                ? nil : members.map { "\(subject) count\(not) \($0.name) \($0.value.compact)" }
        case .in, .includes, .schema: return nil
        }
    }

    /// A scalar as the operand of a predicate.
    private func value(_ value: OrderedJSON, _ writer: inout TemplateWriter) -> String? {
        switch value {
        case .null, .bool: return value.compact
        case .number(let text): return StandIn.onlyValue(of: text) == nil ? text : nil
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                return writer.placeholder(open, .text, request)
            }
            return "\"\(writer.text(text, .text, request))\""
        case .array, .object: return nil
        }
    }
}

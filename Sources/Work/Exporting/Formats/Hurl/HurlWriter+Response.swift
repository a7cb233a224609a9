import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// Writes the part of a Hurl entry about its response: the expectations and the captures.
extension HurlWriter {
    mutating func response(_ request: OpenRequest) -> [String] {
        let plan = ResponsePlan(request, writer.requests, &writer.notes)
        let captures = plan.captures.map { "\(writer.names.capture($0.name, of: request)): \(query($0.source))" }
        var asserts: [String] = []
        var status = "HTTP *"
        if plan.statuses.count == 1, plan.statuses[0].count == 1 {
            status = "HTTP \(plan.statuses[0].lowerBound)"
        } else if plan.statuses.count == 1 {
            asserts += ["status >= \(plan.statuses[0].lowerBound)", "status <= \(plan.statuses[0].upperBound)"]
        } else if !plan.statuses.isEmpty {
            let words = plan.statuses.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound / 100)[0-9][0-9]" }
            asserts.append("status toString matches \"^(\(words.joined(separator: "|")))$\"")
        }
        if let time = plan.maximumTime { asserts.append("duration <= \(time)") }
        asserts += plan.checks.map { assertion($0, request) }
        guard !captures.isEmpty || !asserts.isEmpty || status != "HTTP *" else { return [] }
        return [status] + (captures.isEmpty ? [] : ["[Captures]"] + captures)
            + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
    }

    private func query(_ source: CaptureSource) -> String {
        switch source {
        case .json(let path, _): "jsonpath \(HurlText.quoted(path))"
        case .header(let name, let pattern):
            "header \(HurlText.quoted(name))" + (pattern.map { " regex \(HurlText.quoted("(\($0))"))" } ?? "")
        case .cookie(let name): "cookie \(HurlText.quoted(name))"
        case .body: "body"
        case .status: "status"
        case .url: "url"
        }
    }

    private mutating func assertion(_ check: ResponseCheck, _ request: OpenRequest) -> String {
        let subject =
            switch check.subject {
            case .header(let name): "header \(HurlText.quoted(name))"
            case .body: "body"
            case .json(let path, _): "jsonpath \(HurlText.quoted(path))"
            }
        let not = check.isNegated ? " not" : ""
        // `exists` and `empty` have the operand true or false; false means the same as "not".
        let positive = (check.operand == true) != check.isNegated ? "" : " not"
        switch check.operation {
        case .exists: return "\(subject)\(positive) exists"
        case .empty: return "\(subject)\(positive) isEmpty"
        case .type:
            let type = check.operand.plainText
            return "\(subject)\(not) is\(type == "array" ? "List" : type.prefix(1).uppercased() + type.dropFirst())"
        case .length:
            guard case .object(let limits) = check.operand else {
                return "\(subject) count\(not) == \(check.operand.compact)"
            }
            return "\(subject) count\(not) \(limits[0].name) \(limits[0].value.compact)"
        case .equals: return "\(subject)\(not) == \(value(check.operand, request))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .startsWith, .endsWith, .matches, .in,
            .includes, .schema:
            return "\(subject)\(not) \(check.operation.rawValue) \(value(check.operand, request))"
        }
    }

    /// A scalar as the operand of a predicate.
    private mutating func value(_ value: OrderedJSON, _ request: OpenRequest) -> String {
        guard case .string(let text) = value else { return value.compact }
        if let open = StandIn.onlyValue(of: text), !request.isText(open) {
            return writer.placeholder(open, .text, request)
        }
        return "\"\(writer.text(text, .text, request))\""
    }
}

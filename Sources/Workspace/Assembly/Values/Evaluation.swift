import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText

/// The result of evaluating a template.
enum Evaluated<Value> {
    case value(Value)
    /// The template is an optional param that wasn't given.
    case absent
    /// The value couldn't be resolved; the problem has been reported.
    case failed

    func map<Other>(_ transform: (Value) -> Other) -> Evaluated<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .absent: .absent
        case .failed: .failed
        }
    }
}

extension Evaluated: Sendable where Value: Sendable {}

/// The inputs of an evaluation, which never change.
final class EvaluationScope: Sendable {
    let call: Call
    let parameters: Parameters
    let world: World

    init(call: Call, parameters: Parameters, world: World) {
        self.call = call
        self.parameters = parameters
        self.world = world
    }
}

/// The form in which a list param is sent.
enum ListForm {
    /// The list is a JSON list.
    case json
    /// Each item is sent as a separate value with the same name, unless the param has "join".
    case repeated
    /// The items are joined into one string.
    case joined
}

/// Fills templates with values, and collects the problems.
struct Evaluation: Sendable {
    let scope: EvaluationScope
    var secrets: SecretStore
    private var problems = DiagnosticCollector()
    private(set) var usageProblems: [Diagnostic] = []
    /// Whether a value is still missing because it becomes known only during the run.
    private(set) var isAwaiting = false
    /// Less than `repeatable` if a value is generated for each request, such as an id or a time.
    var durability = Repeatability.repeatable
    var isInEnvironment = false
    /// The variables filled so far. They are kept because a variable has the same value everywhere in a request.
    var variables: [String: FilledVariable] = [:]
    var variablesInProgress: [String] = []
    /// Whether a secret was used since this was last set to false.
    var usesSecret = false
    /// The size of all values filled in so far. While a variable is being filled, only the values in this variable are included.
    private var size = ValueSize()
    /// Whether a list or an object with an absent value is absent as a whole. If false, only the absent value is left out.
    var needsAllValues = false
    /// The number of lists and objects around the current template, including the lists and objects in variables.
    private var depth = 0
    /// The form of list params in the current template.
    private(set) var listForm = ListForm.json
    /// Values that are treated as secrets, although no definition marks them as secret.
    private var keptSecrets: [ResolvedSecret] = []
    /// The stand-ins for captures that the request uses.
    private(set) var standIns: [ResolvedSecret] = []
    /// The values generated so far, by place. The time is read only once, so that it is the same in the whole request.
    var drawn: DrawnValues
    /// The finished request, while it is signed.
    var signed: SignedParts?

    init(call: Call, parameters: Parameters, world: World) {
        scope = EvaluationScope(call: call, parameters: parameters, world: world)
        drawn = call.drawn
        secrets = SecretStore(scope)
    }

    var call: Call { scope.call }
    var parameters: Parameters { scope.parameters }
    var world: World { scope.world }

    mutating func report(_ code: Diagnostic.Code, _ message: String, at place: Place, hint: String? = nil) {
        problems.add(Diagnostic(code: code, message, at: place, hint: hint))
    }

    mutating func report(_ failure: Failure) { problems.add(contentsOf: failure.diagnostics) }

    var diagnostics: [Diagnostic] { problems.diagnostics }

    /// Notes that a value will become known later. Returns `failed`, but reports no problem.
    mutating func awaitValue<Value>() -> Evaluated<Value> {
        isAwaiting = true
        return .failed
    }

    /// The stand-in for a capture that is not known yet: a text that needs no escaping anywhere, and that is masked like a
    /// secret.
    mutating func standIn(for alias: String, _ name: String) -> String {
        keepStandIn("\(alias).\(name)", origin: .awaitedCapture(alias, name))
    }

    mutating func keepStandIn(_ name: String, origin: ResolvedSecret.Origin) -> String {
        let word = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        let standIn = ResolvedSecret(name: name, value: "captured.\(word).5Xq1vZ", origin: origin)
        if !standIns.contains(standIn) { standIns.append(standIn) }
        return standIn.value
    }

    /// A problem with a flag's value.
    mutating func reportUsage(_ message: String, flag: String?) {
        usageProblems.append(Diagnostic(flag: "\(own: flag.map { "\($0): " } ?? "")\(message)"))
    }

    /// A problem with a word of the command line.
    mutating func reportUsage(_ failure: Failure) { usageProblems += failure.diagnostics }

    /// The secrets that the request uses, and the other values that must not be shown.
    var usedSecrets: [ResolvedSecret] {
        secrets.resolved + parameters.secrets + call.capturedSecrets + standIns + keptSecrets
    }

    /// Treats a value as a secret, wherever it comes from.
    mutating func keepSecret(_ value: String, named name: String) {
        if !value.isEmpty { keepSecret(ResolvedSecret(name: name, value: value, origin: .written)) }
    }

    mutating func keepSecret(_ secret: ResolvedSecret) {
        if !usedSecrets.contains(where: { $0.value == secret.value }) { keptSecrets.append(secret) }
    }
}

// MARK: - Templates

extension Evaluation {
    mutating func json(_ template: ValueTemplate) -> Evaluated<OrderedJSON> {
        switch template {
        case .plain(let value):
            let json = OrderedJSON(value)
            return take(json, ValueSize(of: json), at: value.place)
        case .text(let text): return value(text)
        case .scalar(let value, let place): return take(value, ValueSize(of: value), at: place)
        case .choice(let choice):
            guard let picked = pick(choice) else { return .failed }
            return picked.map { json($0) } ?? .absent
        case .list(let elements, let place):
            return nested(elements.count, at: place) { $0.array(elements) }
        case .object(let members, let place):
            let names = members.reduce(0) { $0 + $1.name.utf8.count + 4 }
            return nested(names, at: place) { $0.object(members) }
        }
    }

    private mutating func array(_ elements: [ValueTemplate]) -> Evaluated<OrderedJSON> {
        collect(elements, needsAll: needsAllValues) { $1.json($0) }.map { .array($0) }
    }

    private mutating func object(_ members: [Named<ValueTemplate>]) -> Evaluated<OrderedJSON> {
        collect(members, needsAll: needsAllValues) { member, evaluation in
            evaluation.json(member.value).map { OrderedJSON.Member(member.name, $0) }
        }.map { .object($0) }
    }

    /// The values of all elements. Absent values are left out. The result is `failed` if one element failed.
    ///
    /// - Parameter needsAll: Whether one absent value makes the whole result absent.
    mutating func collect<Element, Value>(
        _ elements: [Element], needsAll: Bool = false,
        _ evaluate: (Element, inout Evaluation) -> Evaluated<Value>
    ) -> Evaluated<[Value]> {
        var values: [Value] = []
        var isWhole = true
        var lacksOne = false
        for element in elements {
            switch evaluate(element, &self) {
            case .value(let value): values.append(value)
            case .absent: lacksOne = true
            case .failed: isWhole = false
            }
        }
        return !isWhole ? .failed : lacksOne && needsAll ? .absent : .value(values)
    }

    private mutating func nested(
        _ bytes: Int, at place: Place, _ fill: (inout Evaluation) -> Evaluated<OrderedJSON>
    ) -> Evaluated<OrderedJSON> {
        guard count(ValueSize(bytes: bytes + 2, depth: 1), at: place) else { return .failed }
        depth += 1
        defer { depth -= 1 }
        return fill(&self)
    }

    mutating func text(_ template: ValueTemplate) -> Evaluated<String> {
        withLists(.joined) { $0.json(template) }.map(ValueText.text)
    }

    /// Fills in values at a place where list params have this form.
    mutating func withLists<Result>(_ form: ListForm, _ fill: (inout Evaluation) -> Result) -> Result {
        let outer = listForm
        listForm = form
        defer { listForm = outer }
        return fill(&self)
    }

    /// The texts of templates that belong to one name, such as the values of a repeated header. An array gives one text for each
    /// element. Absent values are left out; if nothing is left, the result is absent.
    mutating func texts(_ templates: [ValueTemplate]) -> Evaluated<[String]> {
        let all = collect(templates) { template, evaluation in
            evaluation.withLists(.repeated) { $0.json(template) }.map { value -> [String] in
                if case .array(let elements) = value {
                    elements.map(ValueText.text)
                } else {
                    [ValueText.text(of: value)]
                }
            }
        }
        guard case .value(let texts) = all, texts.isEmpty, !templates.isEmpty else {
            return all.map { $0.flatMap(\.self) }
        }
        return .absent
    }

    /// The value of a text template. If the template is a single placeholder, the value keeps its type; otherwise it is a string.
    private mutating func value(_ template: TextTemplate) -> Evaluated<OrderedJSON> {
        if let only = template.onlyPlaceholder { return value(of: only) }
        return text(template).map { .string($0) }
    }

    mutating func text(_ template: TextTemplate) -> Evaluated<String> {
        if let only = template.onlyPlaceholder { return text(of: only) }
        var result = ""
        var isWhole = true
        for piece in template.pieces {
            switch piece {
            case .literal(let text):
                if count(ValueSize(bytes: text.utf8.count), at: template.place) {
                    result += text
                } else {
                    isWhole = false
                }
            case .placeholder(let placeholder):
                if let text = required(placeholder) { result += text } else { isWhole = false }
            }
        }
        return isWhole ? .value(result) : .failed
    }

    /// The case of a `$switch`: `nil` if it can't be decided, `.some(nil)` if no case applies.
    mutating func pick(_ choice: ValueTemplate.Switch) -> ValueTemplate?? {
        if call.leavesSwitchesOpen {
            return .text(TextTemplate(literal: StandIn.text(for: .parameter(choice.key)), at: choice.place))
        }
        switch text(choice.subject) {
        case .failed: return nil
        case .absent: return .some(choice.otherwise)
        case .value(let value):
            if let standIn = standIns.first(where: { value.contains($0.value) }) {
                report(
                    .valueUnresolved,
                    "the case of this $switch depends on \(standIn.name), which has no value yet",
                    at: choice.subject.place, hint: "give it as \(standIn.name)=…")
                return nil
            }
            if let found = choice.cases[named: value] { return found }
            if let otherwise = choice.otherwise { return otherwise }
            let names = choice.cases.map(\.name.quoted).joined(separator: ", ")
            report(
                .valueUnresolved, "this $switch has no case for \(value.quoted)", at: choice.subject.place,
                hint: "add a case for this value, or \"$default\" for all other values; existing cases: \(names)")
            return nil
        }
    }
}

// MARK: - Limits

/// The size of a value.
struct ValueSize {
    /// The approximate number of bytes of the value's JSON.
    var bytes = 0
    /// The number of lists and objects around the innermost value.
    var depth = 0
}

extension ValueSize {
    init(of value: OrderedJSON) {
        self.init()
        switch value {
        case .null, .bool: bytes = 4
        case .number(let text): bytes = text.utf8.count
        case .string(let text): bytes = text.utf8.count + 2
        case .array(let elements): for element in elements { add(ValueSize(of: element), 1) }
        case .object(let members):
            for member in members { add(ValueSize(of: member.value), member.name.utf8.count + 4) }
        }
    }

    private mutating func add(_ inner: ValueSize, _ around: Int) {
        bytes += inner.bytes + around
        depth = max(depth, inner.depth + 1)
    }
}

/// The value of a variable, and the size of this value. The size is counted at each place that uses the variable.
struct FilledVariable {
    let value: Evaluated<OrderedJSON>
    let size: ValueSize
    let usesSecret: Bool
}

extension Evaluation {
    // The maximum nesting depth. Files have the same limit, but it is checked again here, because variables can contain other
    // variables.
    private static let deepest = JSONReader.Limits().depth

    /// Fills in a variable, and measures the size of its value.
    mutating func measuring(_ fill: (inout Evaluation) -> Evaluated<OrderedJSON>) -> FilledVariable {
        let outer = size
        let outerUse = usesSecret
        size = ValueSize(bytes: 0, depth: depth)
        usesSecret = false
        defer { (size, usesSecret) = (outer, outerUse) }
        let value = fill(&self)
        return FilledVariable(
            value: value, size: ValueSize(bytes: size.bytes, depth: size.depth - depth), usesSecret: usesSecret)
    }

    mutating func take(_ variable: FilledVariable, at place: Place) -> Evaluated<OrderedJSON> {
        guard case .value(let value) = variable.value else { return variable.value }
        if variable.usesSecret { usesSecret = true }
        return take(value, variable.size, at: place)
    }

    /// Adds the size of a value to the size of all values filled in so far. The result is `failed` if a limit is exceeded.
    mutating func take(_ value: OrderedJSON, _ size: ValueSize, at place: Place) -> Evaluated<OrderedJSON> {
        count(size, at: place) ? .value(value) : .failed
    }

    /// Whether a value of this size can be added within the limits. Reports a value that is too large. Called before memory for
    /// the value is allocated.
    private mutating func count(_ more: ValueSize, at place: Place) -> Bool {
        guard depth + more.depth <= Self.deepest else {
            report(
                .valueInvalid,
                "with its placeholders filled in, this value nests more than \(Self.deepest) levels deep", at: place)
            return false
        }
        let limit = variablesInProgress.isEmpty ? Limits.request : Limits.variable
        if size.bytes + more.bytes <= limit {
            size.bytes += more.bytes
            size.depth = max(size.depth, depth + more.depth)
            return true
        }
        let what = variablesInProgress.last.map { "the variable \($0.quoted) is" } ?? "the values of the request are"
        report(
            .valueSize, "with the placeholders filled in, \(what) larger than \(limit >> 20) MiB", at: place,
            hint: "use fewer placeholders, or smaller values")
        return false
    }
}

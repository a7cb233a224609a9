import ReqcliDefinitions
import ReqcliText

/// The result of evaluating a template.
enum Evaluated<Value> {
    case value(Value)
    /// The text is an optional param that wasn't given.
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

/// The inputs of an evaluation, which it never changes.
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

/// How a param that takes a list is sent.
enum ListForm {
    /// The list is a JSON list.
    case json
    /// Each item is a value of the same name, unless the param has "join".
    case repeated
    /// The items are one text.
    case joined
}

/// Fills templates with values, and gathers what can't be filled.
struct Evaluation {
    let scope: EvaluationScope
    var secrets: SecretStore
    private var problems = DiagnosticCollector()
    private(set) var usageProblems: [Diagnostic] = []
    /// Whether something is made of values that are yet to come.
    private(set) var isAwaiting = false
    /// Less than repeatable where something is made anew each time: an id, a time.
    var durability = Repeatability.repeatable
    var isInEnvironment = false
    /// A variable has one value in one request, however often it is used.
    var variables: [String: FilledVariable] = [:]
    var variablesInProgress: [String] = []
    /// How much has been filled in so far: of the variable in progress, or of all that is asked for.
    private var size = ValueSize()
    /// Whether a list or an object that lacks one of its values is no value at all, instead of a smaller one.
    var needsAllValues = false
    /// How many lists and objects stand around what is being filled, those of variables counted.
    private var depth = 0
    /// How a param that takes a list stands in what is being filled.
    private(set) var listForm = ListForm.json
    /// Values that are secrets though no definition says so.
    private var keptSecrets: [ResolvedSecret] = []
    /// The stand-ins for captures that the request uses, in the order of their use.
    private(set) var standIns: [ResolvedSecret] = []
    /// Where what is made anew has been made already; the time is asked for once, since all of a request happens at one.
    var drawn: DrawnValues

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

    /// A gap that will be filled: no problem, and no value either.
    mutating func awaitValue<Value>() -> Evaluated<Value> {
        isAwaiting = true
        return .failed
    }

    /// The stand-in for a capture to come: a text that needs no escaping anywhere, and that is masked like a secret.
    mutating func standIn(for alias: String, _ name: String) -> String {
        let standIn = ResolvedSecret(
            name: "\(alias).\(name)", value: "captured.\(alias).\(name).5Xq1vZ", origin: .awaitedCapture(alias, name))
        if !standIns.contains(standIn) { standIns.append(standIn) }
        return standIn.value
    }

    /// A problem with a flag's value.
    mutating func reportUsage(_ message: String, flag: String?) {
        usageProblems.append(Diagnostic(flag: "\(own: flag.map { "\($0): " } ?? "")\(message)"))
    }

    /// A problem with a word of the command line.
    mutating func reportUsage(_ failure: Failure) { usageProblems += failure.diagnostics }

    /// The secrets that were needed, and what must not be shown besides.
    var usedSecrets: [ResolvedSecret] {
        secrets.resolved + parameters.secrets + call.capturedSecrets + standIns + keptSecrets
    }

    /// Masks a value that is a secret wherever it comes from.
    mutating func keepSecret(_ value: String, named name: String) {
        if value.isEmpty || usedSecrets.contains(where: { $0.value == value }) { return }
        keptSecrets.append(ResolvedSecret(name: name, value: value, origin: .written))
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

    /// The values of all elements, without absent ones: failed if one of them is, whatever the others are.
    ///
    /// - Parameter needsAll: Whether all of it is absent where one of the values is.
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

    /// Fills in values at a place where lists have a form.
    mutating func withLists<Result>(_ form: ListForm, _ fill: (inout Evaluation) -> Result) -> Result {
        let outer = listForm
        listForm = form
        defer { listForm = outer }
        return fill(&self)
    }

    /// The texts of values that stand under one name: an array stands for its elements. Absent ones are left out, and with
    /// nothing else all of it is absent.
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

    /// A text that is one placeholder takes the value's type; any other is text.
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

    /// The case of a `$switch`: nil if it can't be decided, nil inside if it is decided that there is none.
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
                    "which case this $switch picks depends on \(standIn.name), which is not known yet",
                    at: choice.subject.place, hint: "give it as \(standIn.name)=…")
                return nil
            }
            if let found = choice.cases[named: value] { return found }
            if let otherwise = choice.otherwise { return otherwise }
            let names = choice.cases.map(\.name.quoted).joined(separator: ", ")
            report(
                .valueUnresolved, "this $switch has no case for \(value.quoted)", at: choice.subject.place,
                hint: "it has \(names); \"$default\" would catch the rest")
            return nil
        }
    }
}

// MARK: - Limits

/// How large a value is.
struct ValueSize {
    /// About as many as its JSON has.
    var bytes = 0
    /// The lists and objects around what is innermost in it.
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

/// The value of a variable and its size, which counts at each place that uses it.
struct FilledVariable {
    let value: Evaluated<OrderedJSON>
    let size: ValueSize
}

extension Evaluation {
    // Files nest no deeper than this, but variables can stand for each other.
    private static let deepest = JSONReader.Limits().depth

    /// Fills in a variable, and measures it by itself.
    mutating func measuring(_ fill: (inout Evaluation) -> Evaluated<OrderedJSON>) -> FilledVariable {
        let outer = size
        size = ValueSize(bytes: 0, depth: depth)
        defer { size = outer }
        let value = fill(&self)
        return FilledVariable(value: value, size: ValueSize(bytes: size.bytes, depth: size.depth - depth))
    }

    mutating func take(_ variable: FilledVariable, at place: Place) -> Evaluated<OrderedJSON> {
        guard case .value(let value) = variable.value else { return variable.value }
        return take(value, variable.size, at: place)
    }

    /// A value that goes into what is being filled.
    mutating func take(_ value: OrderedJSON, _ size: ValueSize, at place: Place) -> Evaluated<OrderedJSON> {
        count(size, at: place) ? .value(value) : .failed
    }

    /// Whether there is room for so much more, asked before the memory is taken; what is too much is reported.
    private mutating func count(_ more: ValueSize, at place: Place) -> Bool {
        guard depth + more.depth <= Self.deepest else {
            report(
                .valueInvalid, "with its placeholders filled in, this nests deeper than \(Self.deepest)", at: place)
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

package import ReqcliDefinitions
import ReqcliJSONPath
package import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText

/// The parts of an expectation, by subject. A `Group` has the conditions on one subject.
package struct ExpectationParts<Group: Sendable>: Sendable {
    let status: Located<[StatusPattern]>?
    package let maxTime: Located<Duration>?
    let place: Place
    let headers: [Group]
    let body: Group?
    let json: [(path: JSONPath, conditions: Group)]
    package let openAPI: OpenAPIParts?
    package let events: EventParts<Group>?
    let snapshot: SnapshotParts<Group>?

    fileprivate var groups: [Group] {
        headers + [body].compactMap(\.self) + json.map(\.conditions) + (snapshot?.match.map(\.conditions) ?? [])
            + (events.map { ($0.each + $0.inOrder).flatMap(\.groups) } ?? [])
    }

    fileprivate func map<Other>(
        _ change: (Group) throws(Failure) -> Other
    ) throws(Failure) -> ExpectationParts<Other> {
        ExpectationParts<Other>(
            status: status, maxTime: maxTime, place: place,
            headers: try headers.map { group throws(Failure) in try change(group) },
            body: try body.map { group throws(Failure) in try change(group) },
            json: try json.map { each throws(Failure) in (each.path, try change(each.conditions)) },
            openAPI: openAPI, events: try events?.map(change), snapshot: try snapshot?.map(change))
    }
}

/// The comparison with the snapshot of a case.
package struct SnapshotParts<Group: Sendable>: Sendable {
    /// The marks that replace values in the snapshot, such as `<match: integer>`.
    let marks: [String]
    let match: [(path: JSONPath, conditions: Group)]
    let ignored: [JSONPath]
    let headers: [String]
    let place: Place

    fileprivate func map<Other>(_ change: (Group) throws(Failure) -> Other) throws(Failure) -> SnapshotParts<Other> {
        SnapshotParts<Other>(
            marks: marks, match: try match.map { each throws(Failure) in (each.path, try change(each.conditions)) },
            ignored: ignored, headers: headers, place: place)
    }
}

/// The expectation of a stream, with the conditions of its events.
package struct EventParts<Group: Sendable>: Sendable {
    let first: Int?
    package let within: Duration
    let each: [ExpectationParts<Group>]
    let inOrder: [ExpectationParts<Group>]
    let place: Place

    fileprivate func map<Other>(_ change: (Group) throws(Failure) -> Other) throws(Failure) -> EventParts<Other> {
        EventParts<Other>(
            first: first, within: within,
            each: try each.map { event throws(Failure) in try event.map(change) },
            inOrder: try inOrder.map { event throws(Failure) in try event.map(change) }, place: place)
    }
}

/// The conditions on the response of one case.
package typealias ReadyExpectation = ExpectationParts<Conditions>

/// The conditions on a response. Paths are parsed, and everything that can be prepared without values is prepared.
package final class CompiledExpectation: Sendable {
    /// The templates that need values, in the order in which `filled(with:)` takes the values.
    package let templates: [ValueTemplate]
    private let parts: ExpectationParts<PendingConditions>
    /// The finished expectation, if it needs no values. All cases share this expectation.
    private let ready: ReadyExpectation?

    private init(_ parts: ExpectationParts<PendingConditions>) {
        self.parts = parts
        templates = parts.groups.flatMap(\.templates)
        ready = templates.isEmpty ? try? Self.fill(parts, [], Redactor([])) : nil
    }

    /// Compiles an expectation. If the value is nil, the diagnostics contain an error, with its place in the path or
    /// pattern.
    package static func compile(
        _ source: Expectation, _ schemas: SchemaStore
    ) -> Diagnosed<CompiledExpectation?> {
        var compiler = ExpectationCompiler(schemas: schemas)
        let parts = compiler.parts(source)
        let diagnostics = compiler.diagnostics
        if diagnostics.contains(where: { $0.severity == .error }) { return Diagnosed(nil, diagnostics) }
        return Diagnosed(CompiledExpectation(parts), diagnostics)
    }

    /// The description that the response has to agree with, if there is one.
    package var openAPI: OpenAPIParts? { parts.openAPI }

    /// The expectation of one case. A nil in `values` means that a param has no value. Errors show no secrets.
    package func filled(
        with values: [OrderedJSON?], redactor: Redactor = Redactor([])
    ) throws(Failure) -> ReadyExpectation {
        if let ready { return ready }
        return try Self.fill(parts, values, redactor)
    }

    private static func fill(
        _ parts: ExpectationParts<PendingConditions>, _ values: [OrderedJSON?], _ redactor: Redactor
    ) throws(Failure) -> ReadyExpectation {
        var filling = ExpectationFilling(values: values[...], redactor: redactor)
        return try parts.map { group throws(Failure) in try filling.fill(group) }
    }
}

/// The conditions on one subject, some of which may still need values.
private enum PendingConditions: Sendable {
    case ready(Conditions)
    case waiting(String, Place, [PendingCondition])

    /// The templates that need values.
    var templates: [ValueTemplate] {
        guard case .waiting(_, _, let all) = self else { return [] }
        return all.compactMap { if case .waiting(let matcher) = $0 { matcher.operand } else { nil } }
    }
}

/// A condition, or a matcher whose operand still needs a value.
private enum PendingCondition: Sendable {
    case ready(Condition)
    case waiting(Matcher)
}

// MARK: - Compiling

private struct ExpectationCompiler {
    let schemas: SchemaStore
    var diagnostics: [Diagnostic] = []

    mutating func parts(_ source: Expectation) -> ExpectationParts<PendingConditions> {
        ExpectationParts(
            status: source.status, maxTime: source.maxTime, place: source.place,
            headers: source.headers.map { conditions($0.name, at: $0.namePlace, $0.value) },
            body: source.body.map { conditions("body", at: source.place, $0) },
            json: [source.schema.flatMap { wholeBody($0) }].compactMap(\.self) + paths(source.json),
            openAPI: source.openAPI.flatMap { openAPI($0) }, events: source.events.map { events($0) },
            snapshot: source.snapshot.map { snapshot($0) })
    }

    private mutating func openAPI(_ source: OpenAPIExpectation) -> OpenAPIParts? {
        let read = schemas.description(at: source.file)
        diagnostics += read.diagnostics
        guard let contract = read.value, let whole = path("$", at: source.place) else { return nil }
        let named = source.namedOperation(in: contract)
        diagnostics += named.diagnostics + (named.value.map { contract.problems(with: $0) } ?? [])
        return OpenAPIParts(contract: contract, expectation: source, named: named.value, whole: whole)
    }

    /// Compiles the key `schema`, which is a short form for a condition on the whole body.
    private mutating func wholeBody(_ schema: Matcher) -> (path: JSONPath, conditions: PendingConditions)? {
        guard case .ready(let condition) = condition(schema), let path = path("$", at: schema.place) else { return nil }
        return (path, .ready(Conditions(name: "$", place: schema.place, all: [condition])))
    }

    private mutating func paths(
        _ source: [Named<Matchers>]
    ) -> [(path: JSONPath, conditions: PendingConditions)] {
        source.compactMap { named in
            let conditions = conditions(named.name, at: named.namePlace, named.value)
            return path(named.name, at: named.namePlace).map { (path: $0, conditions: conditions) }
        }
    }

    private mutating func snapshot(_ source: SnapshotExpectation) -> SnapshotParts<PendingConditions> {
        SnapshotParts(
            marks: source.match.map(\.value.mark), match: paths(source.match),
            ignored: source.ignored.compactMap { path($0.value, at: $0.place) }, headers: source.headers,
            place: source.place)
    }

    private mutating func events(_ source: EventsExpectation) -> EventParts<PendingConditions> {
        EventParts(
            first: source.first, within: source.within, each: source.each.map { parts($0) },
            inOrder: source.inOrder.map { parts($0) }, place: source.place)
    }

    private mutating func conditions(_ name: String, at place: Place, _ matchers: Matchers) -> PendingConditions {
        let all = matchers.all.compactMap { condition($0) }
        let ready = all.compactMap { if case .ready(let condition) = $0 { condition } else { nil } }
        return ready.count == all.count
            ? .ready(Conditions(name: name, place: place, all: ready)) : .waiting(name, place, all)
    }

    /// Compiles a matcher. Nil if the matcher is invalid; the problem has then been reported.
    private mutating func condition(_ matcher: Matcher) -> PendingCondition? {
        do throws(Operand.Problem) {
            // A plain value is already a parsed tree, like the value that it is compared with, so it is not converted.
            if case .plain(let value) = matcher.operand { return .ready(try Condition(matcher, value, schemas)) }
            guard let value = matcher.operand.literal else { return .waiting(matcher) }
            return .ready(try Condition(matcher, value, schemas))
        } catch {
            guard error.ofSchema.isEmpty else {
                diagnostics += error.ofSchema
                return nil
            }
            let place = error.range.map { matcher.place.inside($0) } ?? matcher.place
            diagnostics.append(Diagnostic(code: .operandInvalid, error.message, at: place, hint: error.hint))
            return nil
        }
    }

    private mutating func path(_ text: String, at place: Place) -> JSONPath? {
        let read = PathReading.read(text, at: place)
        diagnostics += read.diagnostics
        return read.value
    }
}

// MARK: - Filling

private struct ExpectationFilling {
    /// An empty store is enough. Schemas have no placeholders, so a condition with a schema never waits for values.
    private static let noSchemas = SchemaStore()

    var values: ArraySlice<OrderedJSON?>
    let redactor: Redactor

    mutating func fill(_ group: PendingConditions) throws(Failure) -> Conditions {
        switch group {
        case .ready(let conditions): return conditions
        case .waiting(let name, let place, let all):
            var conditions: [Condition] = []
            for pending in all { conditions.append(try fill(pending)) }
            return Conditions(name: name, place: place, all: conditions)
        }
    }

    private mutating func fill(_ pending: PendingCondition) throws(Failure) -> Condition {
        let matcher: Matcher
        switch pending {
        case .ready(let condition): return condition
        case .waiting(let waiting): matcher = waiting
        }
        guard let value = values.popFirst() ?? nil else {
            let source = matcher.operand.source.compact
            // If the template has text around a placeholder, only a part of the template is missing.
            let lacking = if case .text = matcher.operand { source } else { "a param in \(source)" }
            throw Failure(
                .broken, code: .valueUnresolved, "the expected value is missing: \(lacking) has no value",
                at: matcher.operand.place, hint: "give the param a value or a default")
        }
        do throws(Operand.Problem) {
            return try Condition(matcher, value, Self.noSchemas)
        } catch {
            let problem = masked(error, matcher, value)
            throw Failure(
                .broken, code: .operandInvalid, problem.message, at: matcher.operand.place, hint: problem.hint
            )
            .redacted(redactor)
        }
    }

    /// The problem for the value with its secrets masked. Masking must come first, because messages shorten values and
    /// a secret that was cut is no longer found.
    private func masked(_ problem: Operand.Problem, _ matcher: Matcher, _ value: OrderedJSON) -> Operand.Problem {
        if redactor.isEmpty { return problem }
        do throws(Operand.Problem) {
            _ = try Condition(matcher, value.masked(by: redactor), Self.noSchemas)
        } catch { return error }
        return problem
    }
}

extension OrderedJSON {
    fileprivate func masked(by redactor: Redactor) -> OrderedJSON {
        switch self {
        case .string(let text): .string(redactor.redact(text))
        case .array(let elements): .array(elements.map { $0.masked(by: redactor) })
        case .object(let members): .object(members.map { Member($0.name, $0.value.masked(by: redactor)) })
        case .null, .bool, .number: self
        }
    }
}

extension Diagnostic.Code {
    package static let operandInvalid: Self = "expect.operand"
}

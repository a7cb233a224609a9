package import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliText

extension CompiledExpectation {
    /// Compiles an expectation. If the value is nil, the diagnostics contain an error, with its place in the path or
    /// pattern.
    package static func compile(
        _ source: Expectation, _ schemas: SchemaStore
    ) -> Diagnosed<CompiledExpectation?> {
        var compiler = ExpectationCompiler(schemas: schemas)
        let compiled = compiler.compiled(source)
        let isInvalid = compiler.diagnostics.contains { $0.severity == .error }
        return Diagnosed(isInvalid ? nil : compiled, compiler.diagnostics)
    }
}

private struct ExpectationCompiler {
    let schemas: SchemaStore
    var diagnostics: [Diagnostic] = []

    mutating func compiled(_ source: Expectation) -> CompiledExpectation {
        CompiledExpectation(
            status: source.status, maxTime: source.maxTime, place: source.place,
            headers: source.headers.map { conditions($0.name, at: $0.namePlace, $0.value) },
            body: source.body.map { conditions("body", at: source.place, $0) },
            json: wholeBody(source.schema) + paths(source.json), openAPI: source.openAPI.flatMap { openAPI($0) },
            events: source.events.map { events($0) }, snapshot: source.snapshot.map { snapshot($0) })
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
    private mutating func wholeBody(_ schema: Matcher?) -> PathConditions {
        guard let schema, let path = path("$", at: schema.place) else { return [] }
        return [(path, Conditions("$", at: schema.place, [schema], schemas, &diagnostics))]
    }

    private mutating func paths(_ source: [Named<Matchers>]) -> PathConditions {
        source.compactMap { named in
            let conditions = conditions(named.name, at: named.namePlace, named.value)
            return path(named.name, at: named.namePlace).map { (path: $0, conditions: conditions) }
        }
    }

    private mutating func snapshot(_ source: SnapshotExpectation) -> CompiledSnapshot {
        CompiledSnapshot(
            marks: source.match.map(\.value.mark), match: paths(source.match),
            ignored: source.ignored.compactMap { path($0.value, at: $0.place) }, headers: source.headers,
            place: source.place)
    }

    private mutating func events(_ source: EventsExpectation) -> CompiledEvents {
        CompiledEvents(
            first: source.first, within: source.within, each: source.each.map { compiled($0) },
            inOrder: source.inOrder.map { compiled($0) }, place: source.place)
    }

    private mutating func conditions(_ name: String, at place: Place, _ matchers: Matchers) -> Conditions {
        Conditions(name, at: place, matchers.all, schemas, &diagnostics)
    }

    private mutating func path(_ text: String, at place: Place) -> JSONPath? {
        let read = PathReading.read(text, at: place)
        diagnostics += read.diagnostics
        return read.value
    }
}

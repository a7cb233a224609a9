import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Makes a plan, and collects the problems that prevent it.
struct Planner {
    let request: CheckPlan.Request
    let catalogue: Catalogue
    var problems: [Failure] = []
    /// The selected scenarios, which `selection()` sets.
    var chosenScenarios: [ScenarioChoice] = []
    /// Errors that `validate` finds in the files that the run reads.
    private(set) var errorsInFiles: [Diagnostic] = []
    var warnings: [Diagnostic] = []
    var uncalled: [LocatedEndpoint] = []
    var unprobed: [Unprobed] = []
    /// The ids of the cases that are left out, because they may change something on a server and the user has not asked for them.
    var unasked: [String] = []
    /// The ids of cases that are left out because their endpoints have no stub variants.
    var stubless: [String] = []
    /// The endpoints whose own case is selected.
    var ownCases: Set<String> = []
    private var compiledCaptures: [String: CaptureReader] = [:]

    init(_ request: CheckPlan.Request, _ catalogue: Catalogue) {
        self.request = request
        self.catalogue = catalogue
    }

    /// A case without its params: the endpoint's own case, or one of its checks.
    struct Selected: Sendable {
        let endpoint: LocatedEndpoint
        var check: NamedCheck?
        let expectation: Expectation
        let place: Place
        var probe: Probe?

        /// The part of the case's id after the endpoint's id; nil for the endpoint's own case.
        var name: String? { probe?.name ?? check?.name?.value }

        /// The case's id, without a row of data.
        var id: String { endpoint.id + (name.map { "/\($0)" } ?? "") }
    }

    /// An expectation with the API description that a flag names.
    func described(_ expectation: Expectation) -> Expectation {
        guard let path = request.description, expectation.openAPI == nil else { return expectation }
        var result = expectation
        let place = expectation.place
        result.openAPI = OpenAPIExpectation(file: Located(path, at: place), isAdded: true, at: place)
        return result
    }

    mutating func report(
        _ status: ExitStatus, _ code: Diagnostic.Code, _ message: String, at place: Place?, hint: String? = nil
    ) {
        problems.append(Failure(status, code: code, message, at: place, hint: hint))
    }

    /// Collects the errors that `validate` finds in the files that a run reads, because a run is possible only if these files
    /// have no errors.
    mutating func checkFiles(
        of endpoints: [LocatedEndpoint], by scenarios: [LocatedScenario], assembled: Set<String>
    ) {
        errorsInFiles = catalogue.errors(
            forCalling: endpoints, by: scenarios, assembled: assembled, in: request.environment)
    }

    // MARK: Cases

    /// One case for each row of data, or a single case if there is no data.
    mutating func cases(of selected: Selected, _ compiled: Diagnosed<CompiledExpectation?>) -> [CheckCase] {
        take(compiled.diagnostics)
        let captures = captures(of: selected.endpoint)
        checkGivenNames(selected)
        guard let expectation = compiled.value, let captures else { return [] }
        let rows = request.data.map { $0.rows.map(Optional.some) } ?? [nil]
        if let probe = selected.probe {
            return probedCase(of: selected, probe, rows.first ?? nil, expectation, captures)
        }
        var namer = SnapshotNamer(selected)
        let tags = selected.endpoint.tags + (selected.check?.tags ?? [])
        let turn = turn(of: selected.endpoint)
        return rows.compactMap { row in
            let snapshotName = namer.name(row)
            var missing: [Diagnostic] = []
            guard let parameters = parameters(of: selected, row, &missing) else { return nil }
            return CheckCase(
                id: selected.id + (row.map { "#\($0.number)" } ?? ""), endpoint: selected.endpoint,
                checkName: selected.name,
                summary: selected.check?.summary ?? selected.endpoint.definition.summary,
                tags: tags, parameters: parameters, row: row,
                expectation: expectation, captures: captures, snapshot: snapshotName.map { snapshot($0) },
                place: selected.place,
                problem: missing.isEmpty ? nil : Failure(.broken, missing), turn: turn)
        }
    }

    /// Reads a snapshot. Each snapshot is read only once in a run.
    private mutating func snapshot(_ name: SnapshotName) -> CaseSnapshot {
        let read = catalogue.snapshot(name)
        take(read.diagnostics)
        return CaseSnapshot(name: name, path: catalogue.shown(name), accepted: read.value)
    }

    mutating func captures(of endpoint: LocatedEndpoint) -> CaptureReader? {
        if let compiled = compiledCaptures[endpoint.id] { return compiled }
        let compiled = CaptureReader.compile(endpoint)
        take(compiled.diagnostics)
        // An empty reader is not kept, because making a new one is as fast as finding the old one.
        if compiled.value?.isEmpty == false { compiledCaptures[endpoint.id] = compiled.value }
        return compiled.value
    }

    mutating func take(_ diagnostics: [Diagnostic]) {
        let errors = diagnostics.filter { $0.severity == .error }
        if !errors.isEmpty { problems.append(Failure(.broken, errors)) }
        warnings += diagnostics.filter { $0.severity != .error }
    }

    // MARK: Params

    private mutating func checkGivenNames(_ selected: Selected) {
        guard let check = selected.check else { return }
        take(
            GivenParameters(check.parameters, for: selected.endpoint).unknown()
                + selected.endpoint.capturesHandedToNeeds(by: check))
    }

    /// The params of a case. A value comes from the row, else from the check's `with`. A required param without such a value
    /// takes its example, unless the table has a column for the param: an empty field means that there is deliberately no value.
    /// Nil if the table lacks a value. A value that the definitions lack is added to `missing`, which stops only this case.
    mutating func parameters(
        of selected: Selected, _ row: DataRow?, _ missing: inout [Diagnostic]
    ) -> [CaseParameter]? {
        var result: [CaseParameter] = []
        var isWhole = true
        for parameter in selected.endpoint.parameters {
            let value: CaseParameter.Value
            if let given = row?.given(to: parameter) {
                value = .given(given)
            } else if let given = selected.check?.parameters[named: parameter.name] {
                value = .template(given)
            } else if !parameter.value.isRequired {
                continue
            } else if let row, hasColumn(for: parameter) {
                reportEmptyField(parameter, selected, row)
                isWhole = false
                continue
            } else if let example = parameter.value.example {
                value = .given(.value(example.value))
            } else {
                missing.append(Self.missing(parameter, selected))
                continue
            }
            result.append(CaseParameter(name: parameter.name, value: value, isSecret: parameter.value.isSecret))
        }
        return isWhole ? result : nil
    }

    private func hasColumn(for parameter: Named<Parameter>) -> Bool {
        request.data?.columns.contains { $0.name == parameter.name } == true
    }

    private mutating func reportEmptyField(_ parameter: Named<Parameter>, _ selected: Selected, _ row: DataRow) {
        report(
            .usage, .parameterMissing,
            "\(selected.endpoint.id) needs the param \"\(parameter.name)\", but row \(row.number) has no value in the "
                + "column \"\(parameter.name)\"",
            at: row.place, hint: "fill in the field, write \"\" for an empty value, or give the param a \"default\"")
    }

    private static func missing(_ parameter: Named<Parameter>, _ selected: Selected) -> Diagnostic {
        Diagnostic(
            code: .parameterMissing,
            "\(selected.endpoint.id) needs the param \"\(parameter.name)\", but there is no value for it",
            at: selected.place,
            hint: selected.endpoint.id.hasPrefix(LocatedScenario.prefix)
                ? "give the param an \"example\" or a \"default\", or use --data"
                : selected.check == nil
                    ? "give the param an \"example\" or a \"default\", or write \"checks\" with \"with\", or use --data"
                    : "give the param in \"with\", or with --data")
    }

    /// Reports columns that are not params of any endpoint, because they would be ignored silently.
    mutating func checkColumns(_ endpoints: [LocatedEndpoint]) {
        guard let data = request.data, !endpoints.isEmpty else { return }
        let names = endpoints.flatMap { $0.parameters.map(\.name) }
        for column in data.columns where !names.contains(column.name) {
            report(
                .usage, .parameterUnknown, "none of the selected cases has a param \"\(column.name)\"",
                at: column.place,
                hint: NearNames.question(for: column.name, among: Set(names).sorted()))
        }
    }
}

extension DataRow {
    /// The value of the row for a param. A `null` means no value, unless the param takes JSON.
    func given(to parameter: Named<Parameter>) -> ParameterArgument.Source? {
        guard let value = values.last(where: { $0.name == parameter.name })?.value else { return nil }
        return value == .value(.null) && parameter.value.kind != .json ? nil : value
    }
}

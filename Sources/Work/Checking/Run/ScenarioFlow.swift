import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The result of one call of a step.
struct StepRun: Sendable {
    var outcome: Outcome
    var captured: [String: OrderedJSON] = [:]
    var identity: CallIdentity?
    var cookies: Int?
}

/// The captures and cookies of the steps that have run.
struct ScenarioFlow {
    let each: ScenarioCase
    /// The captured values, by the name of the step.
    private(set) var captured: [String: [String: OrderedJSON]] = [:]
    /// The names of the captures that have no values yet, in a rehearsal, by the name of the step.
    private(set) var awaited: [String: Set<String>] = [:]
    /// The names of the captures that must not be shown, by the name of the step.
    private(set) var secrets: [String: Set<String>] = [:]
    /// The captures of each call. If the same call is required later, it is not made again.
    private(set) var calls: [CallIdentity: [String: OrderedJSON]] = [:]
    private var jar: Int?
    private var cookies: [String: Int] = [:]

    let passesOnCookies: Bool
    private var keepsCookies: Bool { each.scenario.definition.keepsCookies }

    init(_ each: ScenarioCase) {
        self.each = each
        passesOnCookies =
            each.scenario.definition.keepsCookies || each.allSteps.contains { !$0.definition.needs.isEmpty }
    }

    mutating func take(_ run: StepRun, of step: PlannedStep, inLoop: Bool = false) {
        if run.outcome.attempts > 0 { jar = run.cookies }
        if let identity = run.identity, run.outcome.verdict == .passed { calls[identity] = run.captured }
        guard let name = step.definition.name?.value else { return }
        if let cookies = run.cookies { self.cookies[name] = cookies }
        secrets[name] = step.captures.secretNames
        guard inLoop else {
            captured[name] = run.captured
            return
        }
        for (capture, value) in run.captured {
            if case .array(let list)? = captured[name]?[capture] {
                captured[name, default: [:]][capture] = .array(list + [value])
            } else {
                captured[name, default: [:]][capture] = .array([value])
            }
        }
    }

    /// Records an empty list for each capture of a loop that has no elements, so that the captures have a value.
    mutating func takeNone(of step: PlannedStep) {
        guard let name = step.definition.name?.value else { return }
        captured[name] = Dictionary(step.captures.names.map { ($0, .array([])) }) { first, _ in first }
    }

    /// Records that a step was only rehearsed, so that its captures are not known yet.
    mutating func awaitCaptures(of step: PlannedStep) {
        if let name = step.definition.name?.value { awaited[name] = Set(step.captures.names) }
    }

    // MARK: The input of a step

    func awaited(by step: PlannedStep) -> [String: Set<String>] {
        Dictionary(
            step.definition.needs.map { ($0.name, awaited[$0.value.value] ?? []) },
            uniquingKeysWith: { first, _ in first })
    }

    func met(by step: PlannedStep) -> [String: [String: OrderedJSON]] {
        Dictionary(
            step.definition.needs.map { ($0.name, captured[$0.value.value] ?? [:]) },
            uniquingKeysWith: { first, _ in first })
    }

    func secretNames(of step: PlannedStep) -> [String: Set<String>] {
        Dictionary(
            step.definition.needs.map { ($0.name, secrets[$0.value.value] ?? []) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The exchanges whose cookies a step sends: those in the scenario's cookie jar. Without a jar, the exchanges of the steps
    /// that made the step's required calls.
    func cookies(for step: PlannedStep) -> [Int] {
        keepsCookies
            ? [jar].compactMap(\.self) : step.definition.needs.compactMap { cookies[$0.value.value] }
    }

    /// The first input that the step lacks: a capture that was never made, or a step that has not run. Nil if no input is
    /// missing.
    func lacking(_ step: PlannedStep) -> (reason: Wording, problem: Failure)? {
        for placeholder in step.definition.placeholders {
            guard case .capture(let name, let capture) = placeholder.value, name != step.definition.loop?.item,
                captured[name]?[capture] == nil, awaited[name]?.contains(capture) != true
            else { continue }
            return lacking(
                "\"{{\(own: name).\(own: capture)}}\" has no value: ",
                "the step \"\(own: name)\" has no capture \"\(own: capture)\"",
                placeholder.place)
        }
        for need in step.definition.needs
        where captured[need.value.value] == nil && awaited[need.value.value] == nil {
            return lacking("", "the step \"\(own: need.value.value)\" has not run", need.value.place)
        }
        return nil
    }

    private func lacking(_ start: Wording, _ reason: Wording, _ place: Place) -> (reason: Wording, problem: Failure) {
        (reason, Failure(.broken, code: .valueUnresolved, start + reason, at: place))
    }
}

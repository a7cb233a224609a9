import Calling
import Checking
import CommandLineKit
import Foundation
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The calls that a request needs, for a request that is shown and not sent. The request shows the name of each captured value in
/// place of the value.
struct NeededPlan {
    private let endpoint: LocatedEndpoint
    private let plan: CheckPlan?

    /// Reads the needed endpoints in the same way as for sending.
    init(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        _ context: Context
    ) throws(Failure) {
        let open = flags.open(endpoint)
        self.endpoint = open
        guard !open.needs.isEmpty else {
            plan = nil
            return
        }
        let catalogue = Catalogue(following: open, in: workspace)
        context.report(catalogue.warnings)
        plan = try CheckPlan.prerequisites(of: open, from: catalogue, environment: environment.name)
    }

    fileprivate var awaited: AwaitedValues {
        var awaited = AwaitedValues()
        awaited.captures = plan?.captures(for: endpoint) { _ in true } ?? [:]
        awaited.areNamed = true
        return awaited
    }
}

extension Context {
    /// Makes a request that is shown and not sent, in the given environment.
    func assembleToShow(
        _ flags: RequestFlags, environment: EnvironmentChain, in workspace: Workspace, session: CallSession
    ) throws(Failure) -> AssembledRequest {
        let endpoint = try endpoint(of: flags, in: workspace)
        let plan = try NeededPlan(of: endpoint, flags, in: environment, workspace, self)
        return try assemble(
            endpoint, flags, environment: environment, in: workspace, session: session, awaited: plan.awaited)
    }
}

extension RequestFlags {
    /// The endpoint with only those needed calls whose values are not given on the command line.
    func open(_ endpoint: LocatedEndpoint) -> LocatedEndpoint {
        if endpoint.needs.isEmpty { return endpoint }
        let given = Set(parameters.compactMap { $0.name.split(separator: ".").first.map(String.init) })
        return endpoint.needing { !given.contains($0) }
    }
}

// MARK: - How to get a capture

/// Explains how to get the values that a printed command reads from variables.
struct CaptureNotes {
    let assembled: AssembledRequest
    let assembler: Assembler
    let shell: Shell
    /// The options that make another command call the same server: `--env staging`.
    let options: [String]

    /// Notes on needed calls that only set cookies: none of their captured values is used.
    ///
    /// - Parameter endpoint: The endpoint, with only the needed calls whose values are not given.
    func cookieNotes(_ endpoint: LocatedEndpoint) -> [String] {
        let standIns = assembled.secrets.filter(\.isStandIn)
        return endpoint.needs.compactMap { need in
            guard let id = need.value.endpoint?.value, !standIns.contains(where: { $0.name.hasPrefix("\(need.name).") })
            else { return nil }
            return
                "\"send\" calls \(id) first and sends the cookies that it sets; for this command, pass a file with these cookies: --cookie-jar FILE"
        }
    }

    /// Notes on how to get the captured values.
    ///
    /// - Parameter isCommand: Whether the notes are for a command, which reads the values from variables.
    func notes(isCommand: Bool) -> [String] {
        let variables = assembled.captureVariables
        return assembled.secrets.filter(\.isStandIn).sorted { $0.name < $1.name }.flatMap { standIn -> [String] in
            guard case .awaitedCapture(let alias, let name) = standIn.origin,
                let id = assembled.call.endpoint.needs[named: alias]?.endpoint?.value,
                case .found(let needed) = assembled.call.workspace.endpoint(id).value,
                let capture = needed.definition.captures[named: name]
            else { return [] }
            guard isCommand else {
                return ["<\(standIn.name)> stands for a value that \(id) captures; \"send\" calls that endpoint first"]
            }
            let variable = variables[standIn.name] ?? standIn.name
            return [source(of: variable, capture, needed, alias)] + placeNotes(variable, standIn.value)
        }
    }

    private func source(
        of variable: String, _ capture: Capture, _ needed: LocatedEndpoint, _ alias: String
    ) -> String {
        let send = [Program.name, SendCommand.spec.name, needed.id] + arguments(of: alias) + options
        func value(_ words: [String]) -> String { shell.assignment(of: variable, toOutputOf: send + words) }
        func shown(_ what: String, _ words: [String]) -> String {
            "set the variable to \(what) that \(shell.line(send + words)) shows"
        }
        let how =
            switch capture.source {
            case .json(let path): value(["--select", path.value])
            case .body: value(["--content"])
            case .header(let name):
                shown((capture.match == nil ? "" : "the matched part of ") + "the header \(name.value)", ["--headers"])
            case .cookie(let name): shown("the cookie \(name.value)", ["--headers"])
            case .status, nil: shown("the status", ["--headers"])
            case .url: shown("the last URL", ["-v"])
            }
        return "\(variable) is captured from \(needed.id): \(how)"
    }

    /// The params for a needed call. For a value that can't be shown, the note has `…`.
    private func arguments(of alias: String) -> [String] {
        let given = assembled.call.endpoint.needs[named: alias]?.parameters ?? []
        return given.compactMap { parameter -> String? in
            guard let filled = try? assembler.fill([parameter.value], for: assembled.call, needsAll: false) else {
                return "\(parameter.name)=…"
            }
            guard let value = filled.values.first ?? nil else { return nil }
            let text = value.plainText
            let isSecret = filled.secrets.contains { text.contains($0.value) }
            return "\(parameter.name)=\(isSecret ? "…" : text)"
        }
    }

    /// Notes on how to encode a value. `send` encodes the value, but a shell doesn't.
    private func placeNotes(_ variable: String, _ standIn: String) -> [String] {
        let body = assembled.request.body
        let isForm = assembled.request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") ?? false
        let isInBody = (body?.pieces ?? []).contains { piece in
            if case .data(let data) = piece { String(decoding: data, as: UTF8.self).contains(standIn) } else { false }
        }
        var notes: [String] = []
        if assembled.request.url.absoluteString.contains(standIn) || isForm && isInBody {
            notes.append(
                "\(variable) is not percent-encoded here: encode every character except letters, digits and -._~")
        }
        if isInBody, assembled.request.headers["Content-Type"]?.contains("json") == true {
            notes.append(
                "\(variable) is inside a JSON string: escape quotes and backslashes in the value, or remove the quotes around a number"
            )
        }
        return notes
    }
}

package import Definitions
import Foundation
package import Redaction
package import RequestBuilding
package import SourceText

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A request that is ready: to be sent, printed, or explained.
package struct AssembledRequest: Sendable {
    package let call: Call
    package let request: URLRequest
    /// The same request as the list of operators that made it.
    package let builder: RequestBuilder
    /// The secrets that it needed, and no others.
    package let secrets: [ResolvedSecret]
    package let policy: PolicyDecision
    /// Warnings; errors would have kept it from being made.
    package let diagnostics: [Diagnostic]

    /// What the answer has to be like: the last layer that says anything wins whole.
    package var expectation: Expectation? {
        let overlay = call.endpoint.definition.environments[named: call.environment.name]?.expectation
        return (overlay ?? call.endpoint.definition.request.expectation ?? call.endpoint.defaults?.expectation)?.value
            .value
    }

    package var method: String { request.httpMethod ?? "GET" }

    /// The parts about which neither the files nor the flags say anything.
    package var partsLeftToDefault: Set<RequestSubject> {
        Set(builder.history().filter { $0.standing.last?.origin?.layer == Contributions.builtIn }.map(\.subject))
    }

    /// Masks every secret of this request.
    package var redactor: Redactor { Redactor(secrets.map { Redactor.Secret(label: $0.label, value: $0.value) }) }
}

/// Why a request could not be made: everything that stood in its way.
package struct AssemblyFailure: Error, Sendable {
    /// What is wrong with the call: an unknown param, a flag's value.
    package let usage: [ParameterProblem]
    /// What is wrong with the definitions, or can't be resolved.
    package let diagnostics: [Diagnostic]
    /// Values that must not show in what is said about it.
    package let redactor: Redactor
}

/// Makes the request that a call asks for: params, layers, operators, request.
package struct Assembler: Sendable {
    private let world: World

    package init(world: World) {
        self.world = world
    }

    package func assemble(_ call: Call) throws(AssemblyFailure) -> AssembledRequest {
        let (parameters, problems) = Parameters.bind(call.arguments, to: call.endpoint, world: world)
        // A param that has no value yet stands for itself, so that what else is wrong is told in the same run.
        var evaluation = Evaluation(call: call, parameters: parameters, world: world)
        evaluation.unbound = Set(Parameters.missing(from: call.arguments, of: call.endpoint).map(\.name))

        let contributions = Self.contributions(of: call)
        let builder = contributions.build(&evaluation)
        let secrets = evaluation.usedSecrets
        let redactor = Redactor(secrets.map { Redactor.Secret(label: $0.label, value: $0.value) })
        let usage = problems + evaluation.usageProblems
        var diagnostics = evaluation.diagnostics + evaluation.secrets.diagnostics

        if usage.isEmpty, diagnostics.allSatisfy({ $0.severity != .error }) {
            do throws(RequestBuildingError) {
                let request = try builder.makeRequest()
                return AssembledRequest(
                    call: call, request: request, builder: builder, secrets: secrets,
                    policy: PolicyDecision(method: request.httpMethod ?? "GET", call.environment.policy),
                    diagnostics: diagnostics)
            } catch {
                diagnostics += builder.problems().map { Self.diagnostic($0, contributions.places, call) }
            }
        }
        throw AssemblyFailure(usage: usage, diagnostics: diagnostics, redactor: redactor)
    }

    /// The merge order, once: the later layer wins.
    private static func contributions(of call: Call) -> Contributions {
        var contributions = Contributions()
        var carrier: AuthCarrier?
        contributions.addBuiltIn(version: call.version)
        for environment in call.environment.layers {
            contributions.layer = "environment \(environment.name)"
            contributions.add(environment.layer, auth: &carrier)
        }
        if let defaults = call.endpoint.defaults {
            contributions.layer = "defaults of \(call.endpoint.group ?? call.endpoint.id)"
            contributions.add(defaults.layer, auth: &carrier)
        }
        contributions.layer = "endpoint \(call.endpoint.id)"
        contributions.add(call.endpoint.definition.request, auth: &carrier)
        if let overlay = call.endpoint.definition.environments[named: call.environment.name] {
            contributions.layer = "endpoint \(call.endpoint.id) in \(call.environment.name)"
            contributions.add(overlay, auth: &carrier)
        }
        contributions.addCommandLine(call.overrides)
        return contributions
    }

    private static func diagnostic(_ error: RequestBuildingError, _ places: [Origin: Place], _ call: Call) -> Diagnostic
    {
        let place = error.origin.flatMap { places[$0] }
        if error.code.description == RequestBuildingError.Code.missingHost.description {
            return Diagnostic(
                code: .requestInvalid, "the request has no server to go to", at: place,
                fileName: call.environment.layers.last?.place.file.name,
                hint: "give the environment \(call.environment.name) a \"baseURL\", or pass --base-url URL")
        }
        let name = error.origin?.flag.map { "\($0): " } ?? ""
        return Diagnostic(
            code: .requestInvalid, "\(name)\(error.reason)", at: place,
            fileName: error.origin?.file ?? call.endpoint.file.name)
    }
}

extension Diagnostic.Code {
    package static let requestInvalid: Self = "request.invalid"
}

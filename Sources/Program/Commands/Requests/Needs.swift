import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The calls that an endpoint needs. They are made before the endpoint is called, and again if its response says that the
/// captured values have expired.
actor Needs {
    private let prerequisites: Prerequisites
    /// The params of the call that are also for the needed calls.
    private let parameters: [ParameterArgument]
    private var captured: GatheredCaptures?

    fileprivate init(_ prerequisites: Prerequisites, for parameters: [ParameterArgument]) {
        self.prerequisites = prerequisites
        // Params whose values are read from files are only for the call itself.
        self.parameters = parameters.filter { if case .file = $0.source { false } else { true } }
    }

    /// The call as a rehearsal takes it: the values that the needed calls will capture are not known yet.
    nonisolated func awaited(by call: Call) -> Call {
        var call = call
        call.awaited.captures = prerequisites.captures { _ in true }
        return call
    }

    /// Finds the problems that keep a needed call from being sent.
    func rehearse() async throws(Failure) { try await prerequisites.rehearse(for: parameters) }

    /// The call with the values that the needed calls capture, and with the cookies that they set.
    func completing(_ call: Call) async throws(Failure) -> Call {
        complete(call, with: try await prerequisites.captured(for: parameters))
    }

    /// If a response with this status means that the captured values have expired, captures them again and returns the call with
    /// the new values; else nil.
    func completing(_ call: Call, refreshedOn status: Int) async throws(Failure) -> Call? {
        guard let captured else { return nil }
        return try await prerequisites.refreshed(captured, for: parameters, on: status).map { complete(call, with: $0) }
    }

    private func complete(_ call: Call, with new: GatheredCaptures) -> Call {
        captured = new
        var call = call
        call.captures = new.values
        call.secretCaptures = prerequisites.captures { $0.isSecret }
        call.cookieSources = prerequisites.cookieSources(new)
        return call
    }
}

extension Context {
    /// The calls that the endpoint of a call needs; nil if there are none. A needed call isn't made if its values are given on the
    /// command line.
    func needs(of call: Call, _ flags: RequestFlags, _ network: NetworkCaller) throws(Failure) -> Needs? {
        let open = flags.open(call.endpoint)
        guard !open.needs.isEmpty else { return nil }
        let catalogue = Catalogue(following: open, in: call.workspace)
        report(catalogue.warnings)
        let prerequisites = try Prerequisites(
            of: open, from: catalogue, environment: call.environment.name, caller: network.caller, clock: world.clock)
        return Needs(prerequisites, for: call.arguments)
    }
}

import Assembly
import Checking
import CommandLineKit
import Definitions
import SourceText

/// What endpoints that had to answer first have given.
struct NeededValues: Sendable {
    var captures: [String: [String: OrderedJSON]] = [:]
    /// The names of those that are never shown, by alias.
    var secrets: [String: Set<String>] = [:]
}

/// What an endpoint needs: run before it is sent, and again where its answer says that what they captured has run out.
actor Needs {
    private let prerequisites: Prerequisites
    private var parameters: [CheckCall.Parameter] = []
    private var captured: Prerequisites.Captured?
    /// Whether one of their requests accepts any certificate, as far as they were made.
    nonisolated let isInsecure: @Sendable () -> Bool

    fileprivate init(_ prerequisites: Prerequisites, isInsecure: @escaping @Sendable () -> Bool) {
        self.prerequisites = prerequisites
        self.isInsecure = isInsecure
    }

    /// What they are going to capture, for a rehearsal.
    nonisolated var awaited: [String: Set<String>] { prerequisites.captures { _ in true } }

    /// Takes the params of the call, and finds out what keeps any of them from being sent.
    func rehearse(_ flags: RequestFlags) async throws(Failure) {
        parameters = flags.parameters.compactMap(CheckCall.Parameter.init(typed:))
        do throws(PlanFailure) {
            try await prerequisites.rehearse(for: parameters)
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
    }

    func values() async throws(Failure) -> NeededValues {
        do throws(CheckProblem) {
            return keep(try await prerequisites.captured(for: parameters))
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
    }

    /// Nil if such an answer doesn't say so.
    func values(refreshedOn status: Int) async throws(Failure) -> NeededValues? {
        guard let captured else { return nil }
        do throws(CheckProblem) {
            return try await prerequisites.refreshed(captured, for: parameters, on: status).map { keep($0) }
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
    }

    private func keep(_ new: Prerequisites.Captured) -> NeededValues {
        captured = new
        return NeededValues(captures: new.values, secrets: prerequisites.captures { $0.isSecret })
    }
}

extension Context {
    /// What an endpoint needs before it is sent; nil if that is nothing. An alias whose values are given on the command
    /// line needs no run.
    func needs(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        stubs: StubChoice, confirmation: Confirmation, loader: Loader, session: CallSession, isNarrating: Bool
    ) throws(Failure) -> Needs? {
        let given = Set(flags.parameters.compactMap { $0.name.split(separator: ".").first.map(String.init) })
        let open = endpoint.needing { !given.contains($0) }
        guard !open.needs.isEmpty else { return nil }
        let catalogue = try catalogue(neededBy: open, in: workspace)
        let exchange = CallExchange(
            self, workspace, environment, flags.forNeeded, stubs: stubs, asked: [],
            confirmation: confirmation, loader: loader, session: session, isNarrating: isNarrating)
        do throws(PlanFailure) {
            return Needs(
                try Prerequisites(
                    of: open, from: catalogue, environment: environment.name, exchange: exchange.exchange)
            ) { exchange.isInsecure }
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
    }

    /// Reads the files of what is needed, directly or not, and no others.
    private func catalogue(neededBy endpoint: LocatedEndpoint, in workspace: Workspace) throws(Failure) -> Catalogue {
        var found: [LocatedEndpoint] = []
        var seen: Set<String> = []
        var open = endpoint.needs.compactMap(\.value.endpoint)
        while let next = open.popLast() {
            guard seen.insert(next.value).inserted else { continue }
            switch try workspace.endpoint(next.value).sound(in: self) {
            case .found(let needed):
                found.append(needed)
                open += needed.needs.compactMap(\.value.endpoint)
            case .missing(let missing):
                throw Failure(
                    .broken, [Diagnostic(code: .endpointUnknown, missing.message, at: next.place, hint: missing.hint)])
            case .broken: throw Failure(.broken, [])  // Not met: what is broken comes with errors, thrown above.
            }
        }
        return Catalogue(endpoints: found)
    }
}

extension CheckCall.Parameter {
    /// Nil for a value that is yet to be read from a file.
    fileprivate init?(typed argument: ParameterArgument) {
        switch argument.source {
        case .text(let text): self.init(name: argument.name, value: .text(text))
        case .value(let value): self.init(name: argument.name, value: .json(value))
        case .file: return nil
        }
    }
}

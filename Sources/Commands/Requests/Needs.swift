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

extension Context {
    /// Runs what an endpoint needs before it is sent. An alias whose values are given on the command line needs no run.
    func runNeeds(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        stubs: StubChoice, isAgreed: Bool, loader: Loader, session: CallSession
    ) async throws(Failure) -> NeededValues {
        let given = Set(flags.parameters.compactMap { $0.name.split(separator: ".").first.map(String.init) })
        let open = endpoint.needing { !given.contains($0) }
        guard !open.needs.isEmpty else { return NeededValues() }
        let catalogue = try catalogue(neededBy: open, in: workspace)
        let exchange = CallExchange(
            self, workspace, environment, flags.forNeeded, stubs: stubs.withoutAsked, isAgreed: isAgreed,
            loader: loader,
            session: session)
        let needed: Prerequisites
        do throws(PlanFailure) {
            needed = try Prerequisites(
                of: open, from: catalogue, environment: environment.name, exchange: exchange.exchange)
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
        var result = NeededValues()
        do throws(CheckProblem) {
            let parameters = flags.parameters.compactMap(CheckCall.Parameter.init(typed:))
            result.captures = try await needed.captured(for: parameters).values
        } catch {
            throw Failure(ExitStatus(error.meaning), error.diagnostics)
        }
        for need in open.needs {
            let target = need.value.endpoint.flatMap { catalogue.endpoint($0.value) }
            result.secrets[need.name] = Set((target?.definition.captures ?? []).filter(\.value.isSecret).map(\.name))
        }
        return result
    }

    /// Reads the files of what is needed, directly or not, and no others.
    private func catalogue(neededBy endpoint: LocatedEndpoint, in workspace: Workspace) throws(Failure) -> Catalogue {
        var found: [LocatedEndpoint] = []
        var open = endpoint.needs.compactMap(\.value.endpoint)
        while let next = open.popLast() {
            if found.contains(where: { $0.id == next.value }) { continue }
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

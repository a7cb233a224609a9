import Checking
import CommandLineKit
import ReqcliDefinitions
import ReqcliText

/// The cases that a command line of `check` or `drift` selects, planned for one environment.
struct CaseSelection {
    let arguments: ParsedArguments
    let workspace: Workspace
    let environment: EnvironmentChain
    /// Whether the plan is only listed, so that nothing is sent.
    var isListing = false
    var comparesStubs = false
    var isProbing = false
    /// The path of the API description that all cases are compared with, as typed.
    var description: String?

    /// The plan, and the problems found so far; nil if there are none. A plan with problems contains only the valid cases, and is
    /// rehearsed to find more problems, but never run.
    func plan(
        _ catalogue: Catalogue, _ flags: RequestFlags, _ context: Context
    ) throws(Failure) -> (CheckPlan, PlanFailure?) {
        let request = CheckPlan.Request(
            selectors: arguments[CheckOptions.selectors], exclusions: arguments[CheckOptions.exclude],
            environment: environment.name,
            data: try arguments[CheckOptions.data].map { (path) throws(Failure) in
                try context.rows(path, for: catalogue)
            },
            shard: try arguments[CheckOptions.shard].map { (choice) throws(Failure) in
                try choice.shard(context.setVariable)
            }, balance: try balance(context), earlier: try earlierRun(context),
            usedFiles: try usedFiles(context), isLive: isLive, leavesOutStubless: leavesOutStubless,
            hasOverrides: flags.replaceFields,
            comparesStubs: comparesStubs,
            probing: isProbing ? environment.policy?.probesUnsafeMethods == true ? .allMethods : .safeMethods : nil,
            description: try descriptionPath(context))
        do throws(PlanFailure) {
            return (try CheckPlan.make(request, from: catalogue), nil)
        } catch {
            guard let rest = error.rest, !isListing else {
                throw Failure(joining: error.problems, errorsInFiles: error.errorsInFiles)
            }
            return (rest, error)
        }
    }

    /// Whether the server gives all responses, and stubs give none.
    private var isLive: Bool {
        environment.stubs == nil && stubs.isEmpty
    }

    /// Whether every endpoint responds from its stubs, whichever it has: `--stub` without a value.
    private var leavesOutStubless: Bool {
        stubs.contains { $0 == nil }
    }

    /// The values of `--stub`, an option that `drift` doesn't have.
    private var stubs: [String?] {
        arguments.isDefined(StubChoice.optionOfMany) ? MutationOptions.stubs(arguments) : []
    }

    /// The path of the API description that `--openapi` names.
    private func descriptionPath(_ context: Context) throws(Failure) -> String? {
        guard let path = description else { return nil }
        let whole = try context.pathFromHere(path)
        if context.files.kind(whole) == .file { return FilePath.shown(whole, from: workspace.root) }
        throw Failure(.usage, code: .usageInvalid, "--openapi takes a file; there is no file \"\(path)\"")
    }

    /// The timings of an earlier run for `--balance`, an option that only `check` has.
    private func balance(_ context: Context) throws(Failure) -> Balance? {
        guard arguments.isDefined(CheckOptions.balance), let path = arguments[CheckOptions.balance] else { return nil }
        return try Balance(SourceFile(name: path, bytes: try context.read(path, upTo: 1 << 28, called: path)))
    }

    private func earlierRun(_ context: Context) throws(Failure) -> EarlierRun? {
        guard let path = arguments[CheckOptions.failed] else { return nil }
        return try EarlierRun(SourceFile(name: path, bytes: try context.read(path, upTo: 1 << 28, called: path)))
    }

    /// The files of `--uses`. Nil without the option, and nil if one of the files is used by every case, such as the settings.
    private func usedFiles(_ context: Context) throws(Failure) -> Set<String>? {
        let paths = try arguments[CheckOptions.uses].map { (path) throws(Failure) in
            let whole = try context.pathFromHere(path)
            guard context.files.kind(whole) == .file else {
                throw Failure(.usage, code: .usageInvalid, "--uses takes a file; there is no file \"\(path)\"")
            }
            return whole
        }
        let description = try descriptionPath(context).map { workspace.path($0) }
        if paths.isEmpty || paths.contains(where: { workspace.isUsedByAll($0) || $0 == description }) { return nil }
        return Set(paths.map { FilePath.shown($0, from: workspace.currentFolder) })
    }
}

extension Context {
    /// The rows of a `--data` file.
    func rows(_ path: String, for catalogue: Catalogue) throws(Failure) -> DataTable {
        let bytes = try read(path, upTo: 1 << 26, called: path)
        var table = DataTable.read(SourceFile(name: path, bytes: bytes))
        if catalogue.mayTakeSecrets(from: table.value) {
            table = DataTable.read(SourceFile(name: path, bytes: bytes, isSecret: true))
        }
        guard let rows = table.value else { throw Failure(.usage, table.diagnostics) }
        report(table.diagnostics)
        return rows
    }
}

import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// `check --record` and `check --replay`.
enum ReplayOptions {
    static let record = Option(
        "record", .file(), "Write the run to this file: definitions, responses and clock, without secrets")
    static let replay = Option(
        "replay", .file("RECORDING"), "Check the responses of a recorded run again; nothing is sent")

    static let group = OptionGroup("Recordings", record, replay).ruled(by: [
        .atMostOne(record, replay, CheckOptions.list, Watching.flag, MutationOptions.mutate),
        .excludes(record, CheckOptions.updateSnapshots),
        .excludes(
            replay, CheckOptions.exclude, CheckOptions.failed, CheckOptions.uses, CheckOptions.jobs,
            CheckOptions.failFast, CheckOptions.retry, CheckOptions.retryInterval, CheckOptions.failOnFlaky,
            CheckOptions.data, CheckOptions.shard, CheckOptions.openAPI, CheckOptions.probe,
            CheckOptions.updateSnapshots, StubChoice.optionOfMany, SharedOptions.environment, RequestOptions.baseURL,
            RequestOptions.header, RequestOptions.query, RequestOptions.timeout, RequestOptions.seed,
            RequestOptions.time, CheckOptions.maxBody, CheckOptions.balance),
    ])

    /// The options whose words a replay repeats: they decide what is checked, and hold no credentials.
    private static let repeated: Set = [
        "exclude", "failed", "uses", "retry", "retry-interval", "fail-on-flaky", "max-body", "data", "balance",
        "openapi", "probe", "stub", "at",
    ]

    /// The words that select and check the cases of a run again.
    static func words(_ arguments: ParsedArguments, _ shard: Shard?) -> [String] {
        arguments.givenOptions.filter { repeated.contains($0.name) }.map(\.word)
            + (shard.map { ["--shard=\($0.text)"] } ?? []) + ["--"] + arguments.positionals
    }

    /// The files that options name.
    static func files(_ arguments: ParsedArguments) -> [String] {
        [CheckOptions.data, CheckOptions.failed, CheckOptions.balance, CheckOptions.openAPI].compactMap {
            arguments[$0]
        }
    }
}

extension CheckCommand {
    /// Checks the responses of a recorded run again.
    func replay(_ path: String, _ context: Context) async throws(Failure) -> ExitStatus {
        let bytes = try context.read(path, upTo: RunRecording.largest, called: path.quoted)
        let recording: RunRecording
        do throws(RunRecording.Unreadable) { recording = try RunRecording(reading: bytes) } catch {
            throw Failure(
                .usage, code: .recordingInvalid, "cannot replay \(path.quoted): \(own: error.reason)" as Wording,
                hint: "write a recording with \"reqcli check --record FILE\"")
        }
        let interruption = Interruption()
        let files = ReportFiles(reports, in: nil, context, interruption)
        do throws(Failure) {
            if !files.problems.isEmpty { throw Failure(joining: files.problems) }
            let replay = try ReplayedRun(
                recording, selectors: arguments.positionals, today: arguments[GlobalOptions.workspace], context)
            let detail: HumanReport.Detail =
                arguments[GlobalOptions.quiet] ? .failures : arguments[CheckOptions.verbose] ? .exchanges : .cases
            let result = await CheckShow(replay.plan, reports, detail, context).result(until: interruption) {
                await replay.result(onEvent: $0)
            }
            return try finish(result, files, context)
        } catch {
            files.abandon()
            throw error
        }
    }
}

/// A recorded run, planned again.
struct ReplayedRun: Sendable {
    /// The beginning of the labels of secrets that an environment defines.
    static let secretLabel = "secret."

    let plan: CheckPlan
    private let calls: ReplayedCalls
    private let caller: Caller
    private let options: RunOptions
    private let fingerprint: String?

    /// - Parameters:
    ///   - selectors: The selectors of the cases; empty for those of the recorded run.
    ///   - today: The folder of a workspace whose definitions are used; nil for the recorded ones.
    init(_ recording: RunRecording, selectors: [String], today: String?, _ context: Context) throws(Failure) {
        calls = ReplayedCalls(recording)
        let scene = Self.scene(recording, isToday: today != nil, calls.clock, context)
        let arguments = try Self.arguments(recording, selectors, today)
        let opened = try scene.open(arguments, mayAsk: false)
        let environment = try scene.environment(flag: recording.environment, in: opened).readingSecretsFromVariables
        let workspace = opened.inside(environment)
        var flags = RequestFlags(arguments, endpoint: "", parameters: [])
        flags.chosen.seed = RandomSeed(recording.seed)
        let selection = CaseSelection(
            arguments: arguments, workspace: workspace, environment: environment,
            isProbing: arguments[CheckOptions.probe], description: arguments[CheckOptions.openAPI])
        let (plan, problems) = try selection.plan(Catalogue(of: workspace, withScenarios: true), flags, scene)
        if let problems { throw Failure(joining: problems.problems, errorsInFiles: problems.errorsInFiles) }
        self.plan = plan
        caller = try scene.caller(
            workspace, environment, flags, stubs: try StubChoice([], in: workspace), asked: [],
            confirmation: scene.confirmation(in: environment, isAgreed: true, mayAsk: false),
            session: try scene.session(flags.session, isSending: false)
        ).caller
        // With one job, the calls of a case follow each other as on the recorded clock.
        options = RunOptions(
            jobs: .fixed(1), retries: arguments[CheckOptions.retry],
            retryInterval: arguments[CheckOptions.retryInterval], failsOnFlaky: arguments[CheckOptions.failOnFlaky])
        fingerprint = today == nil && selectors.isEmpty ? recording.plan : nil
    }

    func result(onEvent: (RunEvent) -> Void = { _ in }) async -> RunResult {
        var result = await calls.result(plan, options, caller, onEvent: onEvent)
        result.plan = fingerprint
        return result
    }

    private static func arguments(
        _ recording: RunRecording, _ selectors: [String], _ today: String?
    ) throws(Failure) -> ParsedArguments {
        let options = Array(recording.words.prefix { $0 != "--" })
        let recorded = recording.words.dropFirst(options.count + 1)
        let words =
            [CheckCommand.spec.name, "--workspace=\(today ?? recording.root)"] + options + ["--"]
            + (selectors.isEmpty ? Array(recorded) : selectors)
        do throws(UsageError) {
            if case .run(let arguments) = try Program.spec.parse(words) { return arguments }
        } catch {
            throw Failure(.usage, code: .recordingInvalid, error.problems.map(\.message).joined(separator: "; "))
        }
        throw Failure(.usage, code: .recordingInvalid, "the recording has no command line of check")
    }

    /// A context with the clock, the secrets and, unless today's are used, the files of a recording. It runs no program.
    private static func scene(_ recording: RunRecording, isToday: Bool, _ clock: WorldClock, _ context: Context)
        -> Context
    {
        let secrets = Dictionary(
            recording.secrets.map { ($0.label, $0.value) }, uniquingKeysWith: { first, _ in first })
        var scene = context
        scene.world.clock = clock
        scene.world.variable = { name in
            EnvironmentChain.secretName(ofVariable: name).flatMap { secrets[secretLabel + $0] }
        }
        scene.world.run = { _, _, _ in .notStarted("programs are not run for a replay") }
        scene.world.pipedInput = { _ in .nothing }
        if isToday { return scene }
        let folder = recording.folder
        let files = RecordedFiles(recording.files)
        scene.currentFolder = { folder }
        scene.world.files = files.fileSystem(owner: context.userID, in: folder)
        scene.world.standardInput = { () throws(FileProblem) in try files.bytes("-", Workspace.largestFile) }
        return scene
    }
}

extension Context {
    /// A context whose notes and warnings are not shown.
    var silent: Context {
        var context = self
        context.messages = Output { _ in }
        return context
    }
}

/// The files of a recording, which are only in memory.
private struct RecordedFiles: Sendable {
    private let files: [String: RunRecording.File]
    private let folders: [String: Set<String>]

    init(_ files: [RunRecording.File]) {
        self.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var folders: [String: Set<String>] = [:]
        for file in files where file.path.hasPrefix("/") {
            var path = file.path
            while path != "/" {
                let folder = FilePath.parent(path)
                let isNew = folders[folder, default: []].insert(
                    String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
                ).inserted
                guard isNew else { break }
                path = folder
            }
        }
        self.folders = folders
    }

    func bytes(_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8] {
        guard let file = files[path] else { throw FileProblem(folders[path] == nil ? .missing : .isDirectory) }
        guard file.bytes.count <= limit else { throw FileProblem(.tooLarge(limit: limit)) }
        return file.bytes
    }

    func fileSystem(owner: UInt32, in folder: String) -> FileSystem {
        @Sendable func whole(_ path: String) -> String { FilePath.tidy(FilePath.join(folder, path)) }
        @Sendable func kind(_ path: String) -> FileSystem.Kind? {
            files[whole(path)] != nil ? .file : folders[whole(path)] != nil ? .directory : nil
        }
        return FileSystem(
            read: { path, limit throws(FileProblem) in try bytes(whole(path), limit) }, kind: kind,
            names: { path throws(FileProblem) in
                guard let names = folders[whole(path)] else { throw FileProblem(.missing) }
                return names.sorted()
            }, resolve: { kind($0) == nil ? nil : whole($0) }, owner: { kind($0) == nil ? nil : owner })
    }
}

extension Diagnostic.Code {
    static let recordingInvalid: Self = "recording.invalid"
}

import Calling
import Checking
import CommandLineKit
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// Collects a run for `check --record`, and writes it to a file at the end.
final class RunRecorder: Sendable {
    private let path: String
    private let context: Context
    private let calls: CallRecorder
    private let files = Mutex<[String: [UInt8]?]>([:])

    init(_ path: String, _ context: Context) {
        (self.path, self.context) = (path, context)
        calls = CallRecorder(context.world.clock)
    }

    /// The context in which definitions are read. What is read in it becomes part of the recording.
    var scene: Context {
        var scene = context
        let files = context.world.files
        let input = context.world.standardInput
        scene.world.files.read = { path, limit throws(FileProblem) in
            self.noting(path, try files.read(path, limit))
        }
        scene.world.files.readUnless = { path, limit, objection throws(FileProblem) in
            self.noting(path, try files.readUnless(path, limit, objection))
        }
        scene.world.files.kind = { path in
            let kind = files.kind(path)
            if kind == .file {
                self.files.withLock { if $0[self.whole(path)] == nil { $0[self.whole(path)] = .some(nil) } }
            }
            return kind
        }
        scene.world.standardInput = { () throws(FileProblem) in self.noting("-", try input()) }
        return scene
    }

    private func noting(_ path: String, _ bytes: [UInt8]) -> [UInt8] {
        files.withLock { $0[whole(path)] = bytes }
        return bytes
    }

    private func whole(_ path: String) -> String {
        path == "-" ? path : FilePath.tidy(FilePath.join(context.currentFolder() ?? "/", path))
    }

    func recording(_ caller: Caller) -> Caller { calls.recording(caller) }

    /// Opens the file, so that a file that can't be written is reported before anything is sent.
    func open(_ interruption: Interruption) throws(Failure) -> FileSink {
        do throws(WritingProblem) {
            return try FileSink(path, .replacement, context.writing, interruption)
        } catch {
            throw problem(error.reason)
        }
    }

    /// Removes an earlier recording, because there was no run.
    static func removeEarlier(_ path: String, _ context: Context) {
        guard let whole = try? context.pathFromHere(path), context.files.kind(whole) == .file,
            let start = try? context.files.read(whole, RunRecording.largest), RunRecording.isRecording(start)
        else { return }
        context.writing.remove(whole)
        context.note("\(path) is removed, because it is of an earlier run")
    }

    /// Writes the recording. Cases that a replay judges differently are marked.
    func write(
        _ sink: FileSink, _ result: RunResult, of plan: CheckPlan, _ arguments: ParsedArguments,
        in workspace: Workspace, seed: RandomSeed
    ) async -> Failure? {
        do throws(Failure) {
            var recording = recording(of: result, plan, arguments, workspace, seed)
            let mask = RecordingMask(recording, result.secrets)
            recording.unreplayable = await gaps(result, try bytes(of: recording, mask))
            if !recording.unreplayable.isEmpty {
                let count = recording.unreplayable.count
                context.note(
                    "\(path) can't replay \(count) of \(result.cases.count) \(result.cases.count == 1 ? "case" : "cases"): "
                        + "\(recording.unreplayable[0].id): \(recording.unreplayable[0].reason)"
                        + (count > 1 ? ", and others" : ""))
            }
            let bytes = try bytes(of: recording, mask)
            do throws(WritingProblem) {
                if try !sink.write(Data(bytes)) { throw WritingProblem("no program reads from it") }
                try sink.finish()
            } catch {
                throw problem(error.reason)
            }
            return nil
        } catch {
            sink.abandon()
            return error
        }
    }

    private func bytes(of recording: RunRecording, _ mask: RecordingMask) throws(Failure) -> [UInt8] {
        do throws(RunRecording.Unreadable) { return try recording.bytes(mask) } catch { throw problem(error.reason) }
    }

    /// The cases that the recording can't judge again.
    private func gaps(_ result: RunResult, _ bytes: [UInt8]) async -> [RunRecording.Gap] {
        do {
            let replay = try ReplayedRun(RunRecording(reading: bytes), selectors: [], today: nil, context.silent)
            return result.gaps(in: await replay.result())
        } catch {
            let reason = (error as? Failure)?.message ?? (error as? RunRecording.Unreadable)?.reason ?? "\(error)"
            return result.cases.map { RunRecording.Gap(id: $0.id, reason: reason) }
        }
    }

    private func recording(
        of result: RunResult, _ plan: CheckPlan, _ arguments: ParsedArguments, _ workspace: Workspace,
        _ seed: RandomSeed
    ) -> RunRecording {
        var recording = RunRecording()
        recording.program = Program.version
        recording.words = ReplayOptions.words(arguments, plan.shard)
        recording.environment = plan.environment
        (recording.root, recording.folder) = (workspace.root, context.currentFolder() ?? workspace.root)
        (recording.date, recording.origin) = (result.startedAt, result.began)
        (recording.duration, recording.seed) = (result.duration, seed.text)
        (recording.server, recording.commit) = (result.origin.server, result.origin.commit)
        (recording.job, recording.usedSeed) = (result.origin.job, seed.used)
        (recording.plan, recording.warnings) = (result.plan, result.warnings)
        (recording.exitCode, recording.wasInterrupted) = (Int(result.exitStatus.code), result.wasInterrupted)
        recording.times = result.times
        recording.notRun = result.namesNotRun
        recording.secrets = result.secrets.filter { $0.label.hasPrefix(ReplayedRun.secretLabel) }
        let inputs = Set(ReplayOptions.files(arguments).map(whole))
        recording.files = files.withLock(\.self).sorted { $0.key < $1.key }.compactMap { path, bytes in
            let isDefinition = FilePath.isInside(path, workspace.root) && !path.contains("/.")
            return isDefinition || inputs.contains(path) ? RunRecording.File(path: path, bytes: bytes) : nil
        }
        recording.calls = calls.recorded
        return recording
    }

    private func problem(_ reason: String) -> Failure {
        Failure(
            .outputFailed, code: .outputFailed,
            "the recording \(path.quoted) cannot be written: \(own: reason)" as Wording)
    }
}

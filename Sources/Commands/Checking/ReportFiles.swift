import Checking
import CommandLineKit
import Definitions
import Foundation

/// Where the reports of a run go: opened before it, so that one that can't be written is known before anything is sent.
final class ReportFiles {
    private let requests: [ReportRequest]
    private let context: Context
    private var sinks: [String: any BodySink] = [:]
    /// Why some of them can't be opened.
    private(set) var problems: [CheckProblem] = []

    /// - Parameter interruption: Has unfinished files removed.
    init(_ requests: [ReportRequest], _ context: Context, _ interruption: Interruption) {
        self.requests = requests
        self.context = context
        for request in requests where !request.isForStandardOutput {
            do throws(WritingProblem) {
                // Nothing may take the place of a pipe or a device.
                sinks[request.path] =
                    context.files.kind(request.path) == .other
                    ? try DeviceSink(request.path)
                    : try FileSink(request.path, mayReplace: true, interruption)
            } catch {
                problems.append(request.problem(ReportWritingProblem(error.reason)))
            }
        }
    }

    /// Writes all of them, each whole or not at all.
    func write(_ result: RunResult) -> [CheckProblem] {
        requests.write(result) { path, text throws(ReportWritingProblem) in
            guard let sink = sinks[path] else { throw ReportWritingProblem("it was not opened") }
            do throws(WritingProblem) {
                guard try sink.write(Data(text.utf8)) else { throw WritingProblem("nobody reads it") }
                try sink.finish()
            } catch {
                sink.abandon()
                throw ReportWritingProblem(error.reason)
            }
        } toStandardOutput: {
            context.output.write($0)
        }
    }
}

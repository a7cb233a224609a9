import Calling
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliRedaction
import ReqcliText

/// A run with everything that judging it again needs: the definitions, the calls, the clock and the seed.
package struct RunRecording: Sendable {
    static let format = "reqcli.recording"
    static let version = 1

    /// The version of the program that made the recording.
    package var program = ""
    /// The words of the command line that decide what is checked.
    package var words: [String] = []
    package var environment = ""
    /// The root of the workspace, and the folder in which the program was started.
    package var root = ""
    package var folder = ""
    /// The date at which the run began, in seconds since 1970, and the time on its clock.
    package var date = 0.0
    package var origin = Duration.zero
    package var duration = Duration.zero
    package var seed = ""
    package var server: String?
    package var commit: String?
    package var job: String?
    package var usedSeed: String?
    /// The fingerprint of the plan, which masks may change.
    package var plan: String?
    package var warnings: [String] = []
    package var exitCode = 0
    package var wasInterrupted = false
    /// The stand-ins of secrets, by name.
    package var secrets: [Redactor.Secret] = []
    /// The cases and steps that did not run.
    package var notRun: [String] = []
    /// The cases that can't be judged again, with the reasons.
    package var unreplayable: [Gap] = []
    /// The times of the cases, their steps and the required calls.
    package var times: [Time] = []
    package var files: [File] = []
    package var calls: [RecordedCall] = []

    package struct Gap: Sendable {
        package var id = ""
        package var reason = ""

        package init(id: String, reason: String) { (self.id, self.reason) = (id, reason) }
    }

    /// The time from the start of the run to the first request of a case, a step or a required call, and how long it took.
    package struct Time: Sendable {
        var id = ""
        var began = Duration.zero
        var duration = Duration.zero
        /// The number of requests that were sent.
        var attempts = 0
    }

    /// A file that the run has read.
    package struct File: Sendable {
        package var path = ""
        package var bytes: [UInt8] = []
        /// Whether the run has only looked whether it exists.
        var isOnlyPresent = false

        package init(path: String, bytes: [UInt8]?) {
            (self.path, self.bytes, isOnlyPresent) = (path, bytes ?? [], bytes == nil)
        }
    }

    package init() {}

    /// The maximum size of a recording.
    package static let largest = StoredZip.largest

    /// Whether a file begins like a recording.
    package static func isRecording(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) && bytes.dropFirst(30).starts(with: "run.json".utf8)
    }

    /// The reason why a file is no recording that can be used.
    package struct Unreadable: Error {
        package let reason: String
    }
}

extension RunRecording {
    private static let table = RecordTable<RunRecording>([
        RecordField("program", \.program, .text), RecordField("words", \.words, RecordForm.text.list, isRequired: true),
        RecordField("environment", \.environment, .text, isRequired: true),
        RecordField("root", \.root, .text, isRequired: true), RecordField("folder", \.folder, .text, isRequired: true),
        RecordField("date", \.date, .double, isRequired: true),
        RecordField("origin", \.origin, .nanoseconds, isRequired: true),
        RecordField("duration", \.duration, .nanoseconds), RecordField("seed", \.seed, .text),
        RecordField("server", optional: \.server, .text), RecordField("commit", optional: \.commit, .text),
        RecordField("job", optional: \.job, .text), RecordField("usedSeed", optional: \.usedSeed, .text),
        RecordField("plan", optional: \.plan, .text), RecordField("warnings", \.warnings, RecordForm.text.list),
        RecordField("exitCode", \.exitCode, .int, isRequired: true),
        RecordField("wasInterrupted", \.wasInterrupted, .bool),
        RecordField("secrets", \.secrets, RecordForm.secret.list),
        RecordField("notRun", \.notRun, RecordForm.text.list),
        RecordField("unreplayable", \.unreplayable, gap.form { Gap(id: "", reason: "") }.list),
        RecordField("times", \.times, time.form { Time() }.list),
        RecordField("files", \.files, file.form { File(path: "", bytes: []) }.list, isRequired: true),
    ])

    private static let gap = RecordTable<Gap>([
        RecordField("id", \.id, .text, isRequired: true), RecordField("reason", \.reason, .text),
    ])

    private static let time = RecordTable<Time>([
        RecordField("id", \.id, .text, isRequired: true), RecordField("began", \.began, .nanoseconds),
        RecordField("duration", \.duration, .nanoseconds), RecordField("attempts", \.attempts, .int) { $0 > 0 },
    ])

    private static let file = RecordTable<File>([
        RecordField("path", \.path, .text, isRequired: true),
        RecordField("isOnlyPresent", \.isOnlyPresent, .bool) { $0 },
    ])

    // MARK: Writing

    /// The bytes of the file, without secrets.
    ///
    package func bytes(_ mask: RecordingMask) throws(Unreadable) -> [UInt8] {
        var recording = self
        recording.secrets = mask.standIns(of: secrets)
        var archive = StoredZip()
        do throws(StoredZip.Problem) {
            let head: OrderedJSON = .object(
                [.init("format", .string(Self.format)), .init("version", .int(Self.version))]
                    + Self.table.members(of: recording))
            try archive.add("run.json", mask.hidden(Array((head.pretty + "\n").utf8)))
            let calls = OrderedJSON.array(
                recording.calls.map { .object(RecordedCall.table.members(of: mask.hidden($0))) })
            try archive.add("calls.json", mask.hidden(Array((calls.pretty + "\n").utf8)))
            for (number, call) in recording.calls.enumerated() where !call.body.isEmpty {
                try archive.add("bodies/\(number)", mask.hidden(call.body))
            }
            for (number, file) in recording.files.enumerated() where !file.isOnlyPresent {
                try archive.add(entry(of: file, number), mask.hidden(file.bytes))
            }
        } catch {
            throw Unreadable(reason: error.reason)
        }
        return archive.bytes
    }

    /// The name of a file's entry: its path below the root, or its number if it is elsewhere.
    private func entry(of file: File, _ number: Int) -> String {
        let isInside = file.path.hasPrefix(root + "/") && !file.path.contains("/../")
        return isInside ? "definitions/\(file.path.dropFirst(root.utf8.count + 1))" : "outside/\(number)"
    }

    // MARK: Reading

    package init(reading bytes: [UInt8]) throws(Unreadable) {
        self.init()
        let archive: StoredZip
        do throws(StoredZip.Problem) { archive = try StoredZip(reading: bytes) } catch {
            throw Unreadable(reason: error.reason)
        }
        let entries = Dictionary(uniqueKeysWithValues: archive.entries.map { ($0.name, $0.bytes) })
        do throws(UnreadableReport) {
            try read(entries)
        } catch {
            throw Unreadable(reason: error.reason)
        }
        var used: Set = ["run.json", "calls.json"]
        for number in calls.indices {
            guard let body = entries["bodies/\(number)"] else { continue }
            calls[number].body = body
            used.insert("bodies/\(number)")
        }
        for (number, file) in files.enumerated() where !file.isOnlyPresent {
            let name = entry(of: file, number)
            guard let content = entries[name] else { throw Unreadable(reason: "the entry \(name) is missing") }
            files[number].bytes = content
            used.insert(name)
        }
        guard used.count == entries.count else { throw Unreadable(reason: "it has entries that reqcli didn't write") }
    }

    private mutating func read(_ entries: [String: [UInt8]]) throws(UnreadableReport) {
        func document(_ name: String) throws(UnreadableReport) -> JSONValue {
            guard let bytes = entries[name] else {
                throw UnreadableReport(reason: "it is not a recording of check: it has no entry \(name)")
            }
            let document = JSONDocument.read(SourceFile(name: name, bytes: bytes))
            guard let root = document.validRoot else { throw UnreadableReport(reason: "\(name) is not valid JSON") }
            return root
        }
        let root = try document("run.json")
        let head = try ReportObject(root)
        guard try head.text("format") == Self.format else {
            throw UnreadableReport(reason: "it is not a recording of check")
        }
        guard let version = try head.int("version"), version <= Self.version else {
            throw UnreadableReport(reason: "a newer version of reqcli made it; update reqcli to replay it")
        }
        try Self.table.read(head, into: &self)
        calls = try RecordedCall.table.form { RecordedCall() }.list.read(try document("calls.json"))
    }
}

extension RecordForm<Double> {
    fileprivate static var double: Self {
        Self("a number") {
            .number(String($0))
        } read: {
            $0.number?.double
        }
    }
}

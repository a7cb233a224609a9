import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

/// The things outside the definitions on which a request or a run can depend, such as files and the clock. Tests replace them by
/// fixed values.
package struct World: Sendable {
    package var files: FileSystem
    /// The size of a file in bytes; nil where it is unknown.
    package var fileSize: @Sendable (_ path: String) -> Int?
    /// A variable of the process.
    package var variable: @Sendable (_ name: String) -> String?
    /// All of standard input.
    package var standardInput: @Sendable () throws(FileProblem) -> [UInt8]
    /// Waits at most this long for bytes of standard input, or for its end. A terminal and devices count as nothing.
    package var pipedInput: @Sendable (_ timeout: Duration) -> PipedInput
    /// A file with all of standard input, if the input is larger than this many bytes; otherwise nil.
    package var spooledInput: @Sendable (_ limit: Int) throws(FileProblem) -> SpooledInput?
    /// Runs a program without a shell.
    package var run: @Sendable (_ arguments: [String], _ folder: String, _ timeout: Duration) -> ProgramOutcome
    /// Decides whether a trust request is granted. `workspace` is the root of the workspace that makes the request.
    package var permits: @Sendable (_ request: TrustRequest, _ workspace: String) -> TrustPermission
    package var uuid: @Sendable () -> String
    package var randomInt: @Sendable () -> Int
    /// 32 random bytes.
    package var random: @Sendable () -> [UInt8]
    package var clock: WorldClock
    /// Makes random values the same in each run.
    package var seed: RandomSeed?
    /// The time in placeholders, in seconds since 1970, if it isn't the clock's.
    package var placeholderTime: Double?
    /// The time in placeholders.
    package var now: Double { placeholderTime ?? clock.date() }
    /// Whether values that aren't known have stand-ins. Nothing can be computed from a stand-in.
    package var hasStandIns = false

    package init(
        files: FileSystem, fileSize: @escaping @Sendable (String) -> Int? = { _ in nil },
        variable: @escaping @Sendable (String) -> String?,
        standardInput: @escaping @Sendable () throws(FileProblem) -> [UInt8],
        pipedInput: @escaping @Sendable (Duration) -> PipedInput = { _ in .nothing },
        spooledInput: @escaping @Sendable (Int) throws(FileProblem) -> SpooledInput? = { _ in nil },
        run: @escaping @Sendable ([String], String, Duration) -> ProgramOutcome,
        permits: @escaping @Sendable (TrustRequest, String) -> TrustPermission = { _, _ in .unasked },
        uuid: @escaping @Sendable () -> String, randomInt: @escaping @Sendable () -> Int,
        random: @escaping @Sendable () -> [UInt8] = { (0..<32).map { _ in UInt8.random(in: 0...255) } },
        clock: WorldClock
    ) {
        self.files = files
        self.fileSize = fileSize
        self.variable = variable
        self.standardInput = standardInput
        self.pipedInput = pipedInput
        self.spooledInput = spooledInput
        self.run = run
        self.permits = permits
        self.uuid = uuid
        self.randomInt = randomInt
        self.random = random
        self.clock = clock
    }
}

/// The clock. In a test, the clock stands still or jumps.
package struct WorldClock: Sendable {
    /// Seconds since 1970.
    package var date: @Sendable () -> Double
    /// The time since an arbitrary fixed moment. It never decreases.
    package var elapsed: @Sendable () -> Duration
    /// Waits; throws if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Whether the date is kept equal to that of other machines.
    package var isSynchronized: @Sendable () -> Bool

    package init(
        date: @escaping @Sendable () -> Double, elapsed: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        isSynchronized: @escaping @Sendable () -> Bool = { true }
    ) {
        self.date = date
        self.elapsed = elapsed
        self.sleep = sleep
        self.isSynchronized = isSynchronized
    }
}

/// What standard input is, and what a pipe has.
package enum PipedInput: Sendable {
    case bytes
    /// A file, of whatever size. It is begun if another program has read from it, such as a loop of the shell.
    case file(isBegun: Bool)
    case end
    /// Nothing has come so far.
    case silence
    /// Standard input is neither a pipe nor a file.
    case nothing
}

/// The outcome of running a program for a secret.
package enum ProgramOutcome: Sendable, Equatable {
    case printed([UInt8])
    /// The program ended with a status other than 0.
    case failed(status: Int32, message: String)
    case timedOut
    case notStarted(String)
}

extension World {
    /// The text of a file, or of standard input if the path is `-`. `name` is the param that takes its value from the file.
    func text(ofFile path: String, for name: String) throws(Failure) -> String {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try path == "-" ? standardInput() : files.readTyped(path, upTo: Workspace.largestFile)
        } catch {
            throw Failure(parameter: "cannot read \(path.quoted), the value of \(own: name): \(own: error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(parameter: "\(path.quoted), the value of \(own: name), is not UTF-8 text")
        }
        return text
    }

    /// A world that runs each program only once and asks for each permission only once. It is for a run of many requests that
    /// share their secrets.
    package func remembering() -> World {
        let outcomes = Remembered<[String], ProgramOutcome>()
        let permissions = Remembered<TrustRequest, TrustPermission>()
        var world = self
        world.run = { [run] arguments, folder, timeout in
            outcomes.value(for: [folder] + arguments) { run(arguments, folder, timeout) }
        }
        world.permits = { [permits] request, workspace in
            permissions.value(for: request) { permits(request, workspace) }
        }
        return world
    }
}

/// Values that are made once. A second caller waits until the first caller has made the value.
private final class Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    func value(for key: Key, make: () -> Value) -> Value {
        values.withLock { values in
            if let known = values[key] { return known }
            let made = make()
            values[key] = made
            return made
        }
    }
}

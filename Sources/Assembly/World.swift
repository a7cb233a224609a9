package import Definitions

/// Everything outside the definitions that a request can depend on: values in a test, the real thing otherwise.
package struct World: Sendable {
    package var files: FileSystem
    /// The size of a file in bytes; nil where it can't be known.
    package var fileSize: @Sendable (String) -> Int?
    /// A variable of the process.
    package var variable: @Sendable (String) -> String?
    /// All of standard input.
    package var standardInput: @Sendable () throws(FileProblem) -> [UInt8]
    /// Runs a program without a shell; what it prints, or why it can't be had.
    package var run: @Sendable (_ arguments: [String], _ folder: String, _ timeout: Duration) -> ProgramOutcome
    /// Whether a workspace, named by its root, may have what it asks for.
    package var permits: @Sendable (_ request: TrustRequest, _ workspace: String) -> TrustPermission
    package var uuid: @Sendable () -> String
    /// Seconds since 1970.
    package var now: @Sendable () -> Double
    package var randomInt: @Sendable () -> Int

    package init(
        files: FileSystem, fileSize: @escaping @Sendable (String) -> Int? = { _ in nil },
        variable: @escaping @Sendable (String) -> String?,
        standardInput: @escaping @Sendable () throws(FileProblem) -> [UInt8],
        run: @escaping @Sendable ([String], String, Duration) -> ProgramOutcome,
        permits: @escaping @Sendable (TrustRequest, String) -> TrustPermission, uuid: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Double, randomInt: @escaping @Sendable () -> Int
    ) {
        self.files = files
        self.fileSize = fileSize
        self.variable = variable
        self.standardInput = standardInput
        self.run = run
        self.permits = permits
        self.uuid = uuid
        self.now = now
        self.randomInt = randomInt
    }
}

/// The world in one place, for all who look at it: a copy of it is a reference to each of its parts.
final class SharedWorld: Sendable {
    let world: World

    init(_ world: World) { self.world = world }
}

/// What came of running a program for a secret.
package enum ProgramOutcome: Sendable, Equatable {
    case printed([UInt8])
    /// It ended with a status other than 0.
    case failed(status: Int32, message: String)
    case timedOut
    case notStarted(String)
}

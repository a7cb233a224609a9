package import Assembly
package import Definitions

/// What only requests need of the world.
package struct RequestEffects: Sendable {
    /// All of standard input.
    package var standardInput: @Sendable () -> Result<[UInt8], FileProblem>
    /// A file with all of standard input, where that is more than so many bytes; nil where it isn't.
    package var spooledInput: @Sendable (_ limit: Int) -> Result<SpooledInput?, FileProblem>
    /// Runs a program without a shell.
    package var run: @Sendable (_ arguments: [String], _ folder: String, _ timeout: Duration) -> ProgramOutcome
    package var uuid: @Sendable () -> String
    /// Seconds since 1970.
    package var now: @Sendable () -> Double
    package var randomInt: @Sendable () -> Int
    /// Adds a line to a file of the user's own, making it and its folder where they are missing; best effort: what
    /// can't be remembered is asked again.
    package var append: @Sendable (_ line: String, _ path: String) -> Void

    package init(
        standardInput: @escaping @Sendable () -> Result<[UInt8], FileProblem>,
        spooledInput: @escaping @Sendable (Int) -> Result<SpooledInput?, FileProblem>,
        run: @escaping @Sendable ([String], String, Duration) -> ProgramOutcome, uuid: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Double, randomInt: @escaping @Sendable () -> Int,
        append: @escaping @Sendable (String, String) -> Void
    ) {
        self.standardInput = standardInput
        self.spooledInput = spooledInput
        self.run = run
        self.uuid = uuid
        self.now = now
        self.randomInt = randomInt
        self.append = append
    }
}

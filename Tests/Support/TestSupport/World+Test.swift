package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import Testing

extension World {
    /// A world that has only files. Using anything else, such as a variable or the current time, fails the test, unless the test
    /// has stubbed it.
    package static func unstubbed(_ files: MemoryFiles) -> World {
        World(
            files: files.fileSystem,
            variable: { name in
                Issue.record("the variable \(name) was asked for")
                return nil
            },
            standardInput: { () throws(FileProblem) in
                Issue.record("standard input was read")
                throw FileProblem(.missing)
            },
            run: { arguments, _, _ in
                Issue.record("\(arguments) was run")
                return .notStarted("not stubbed")
            },
            permits: { request, _ in
                Issue.record("it was asked whether \(request) is permitted")
                return .refused
            },
            uuid: {
                Issue.record("a UUID was made")
                return ""
            },
            randomInt: {
                Issue.record("a number was drawn")
                return 0
            },
            clock: WorldClock(
                date: {
                    Issue.record("the time was asked for")
                    return 0
                }, elapsed: { .zero }, sleep: { _ in }))
    }

    /// Makes these variables the only variables of the process.
    package mutating func stub(variables: [String: String]) {
        variable = { variables[$0] }
    }

    package mutating func stub(standardInput text: String) {
        standardInput = { () throws(FileProblem) in Array(text.utf8) }
    }

    /// Permits every program, and makes each run have this outcome.
    package mutating func stub(run outcome: ProgramOutcome) {
        permits = { _, _ in .granted }
        run = { _, _, _ in outcome }
    }
}

/// A counter that returns 1, 2, 3 and so on.
package final class Counter: Sendable {
    private let count = Mutex(0)

    package init() {}

    package func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

import CommandLineKit
import TestSupport
import Testing

struct ConsistencyTests {
    @Test("A sound program has no inconsistencies")
    func sound() {
        #expect(Sample.program.inconsistencies == [])
    }

    @Test("Doubled commands, options and arguments, and arguments in an impossible order, are found")
    func unsound() {
        let bad = CommandSpec(
            "bad", "Bad", examples: [],
            arguments: ArgumentList(
                Argument(rest: "A", .text("A"), ""), Argument("B", .text("B"), ""), Argument("B", .text("B"), "")),
            options: [
                OptionGroup("", Flag("env", ""), Toggle("x", short: "x", ""), Flag("no-x", short: "x", ""))
            ])
        let program = ProgramSpec(
            "p", version: "", "", examples: [], commands: [CommandGroup("", [bad, Sample.completions, bad])],
            globalOptions: [OptionGroup("", Sample.environment)])
        #expect(
            program.inconsistencies.prefix(7) == [
                "two commands are called \"bad\"",
                "\"bad\" has two options --env", "\"bad\" has two options --no-x", "\"bad\" has two options -x",
                "\"bad\" has an argument after one that takes all the rest",
                "\"bad\" has a required argument after an optional one", "\"bad\" has two arguments B",
            ])
    }
}

import TestSupport
import Testing

/// Sequences of stubs and their delays, as one run's retries see them, on a clock that does not advance by itself.
struct SequenceTests {
    private func workspace(_ variant: String, timeout: String = "null") throws -> TemporaryFolder {
        try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/", "timeout": \#(timeout), "retry": { "times": 9, "on": [503], "delay": "1s" },
                  "stubs": { "default": "x", "variants": {
                    "busy": { "status": 503 },
                    "ok": { "text": "ok" },
                    "slow": { "like": "busy", "delay": "80ms" },
                    "x": \#(variant) } } }
                """#)
    }

    @Test("Each request gets the next response of a sequence, by name or inline")
    func inTurn() async throws {
        let workspace = try workspace(
            #"{ "sequence": ["busy", { "error": "reset" }, { "status": 503, "text": "later" }, "ok"] }"#)
        let program = InProcess()
        let run = await program.run("send", "a", "--stub", "-v", in: workspace)
        #expect(run.status == 0)
        #expect(run.outputText == "ok")
        #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("> GET") }.count == 4)
    }

    @Test(
        "then sets what follows the last response: the last again, the first, or an error",
        arguments: [("last", 5, 10, "three"), ("loop", 5, 10, "one"), ("fail", 6, 4, "")]
            as [(String, Int32, Int, String)])
    func afterLast(_ word: String, _ status: Int32, _ requests: Int, _ output: String) async throws {
        let steps = ["one", "two", "three"].map { #"{ "status": 503, "text": "\#($0)" }"# }.joined(separator: ", ")
        let workspace = try workspace(#"{ "sequence": [\#(steps)], "then": "\#(word)" }"#)
        let run = await InProcess().run("send", "a", "--stub", "-v", in: workspace)
        #expect(run.status == status)
        #expect(run.outputText == output)
        #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("> GET") }.count == requests)
        if word == "fail" { #expect(run.errors.contains("the stub variant x has sent all of its 3 responses")) }
    }

    @Test("check reports the number of attempts of a retried call and the time of the last one")
    func retriedInCheck() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/", "retry": { "times": 9, "on": [503], "delay": "1s" },
                  "checks": [{ "name": "in time", "expect": { "status": 200, "maxTime": "90ms" } },
                    { "name": "too late", "expect": { "status": 200, "maxTime": "70ms" } }],
                  "stubs": { "variants": { "x": {
                    "sequence": [{ "status": 503, "delay": "2s" }, { "error": "reset" }, { "delay": "80ms" }],
                    "then": "loop" } } } }
                """#)
        let run = await InProcess().run("check", "--stub", "--jobs", "1", "--report", "json=-", in: workspace)
        #expect(run.status == 1)
        #expect(run.outputText.ranges(of: #""attempts": 3"#).count == 2, "\(run.outputText)")
        #expect(run.errors.contains("expected at most 70ms"), "\(run.errors)")
        #expect(run.errors.contains("found    80ms"), "\(run.errors)")
        #expect(!run.errors.contains("at most 90ms"), "\(run.errors)")
    }

    @Test("A Retry-After longer than the maximum wait is not waited for, and stderr says so")
    func tooLong() async throws {
        let workspace = try workspace(#"{ "status": 503, "headers": { "Retry-After": "3600" } }"#)
        let program = InProcess()
        let run = await program.run("send", "a", "--stub", in: workspace)
        #expect(run.status == 5)
        #expect(
            run.errors
                == "not trying again: the server asks to wait 3600 s, but the longest allowed wait is 60 s\n"
                + "note: 503 Service Unavailable, no body\n")
        #expect(program.sleeps.durations == [])
    }

    @Test("A request that allows only cached responses does not get a stub")
    func cacheAlone() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/", "cachePolicy": "returnCacheDataDontLoad", "expect": { "status": 200 },
                  "stubs": { "variants": { "x": { "json": 1 } } } }
                """#)
        for command in ["send", "check"] {
            let run = await InProcess().run(command, "a", "--stub", in: workspace)
            #expect(run.status == 6, "\(run.errors)")
            #expect((run.outputText + run.errors).contains("there is no cache"), "\(run.outputText)\(run.errors)")
        }
    }

    @Test("A sequence can contain another sequence")
    func nested() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/", "retry": { "times": 9, "on": [503] }, "stubs": { "default": "outer", "variants": {
                    "outer": { "sequence": ["inner", { "text": "done" }] },
                    "inner": { "sequence": [{ "status": 503 }, { "status": 503 }] } } } }
                """#)
        let run = await InProcess().run("send", "a", "--stub", in: workspace)
        #expect(run.outputText == "done")
    }

    @Test("Variants can refer to each other through thousands of steps")
    func longWays() async throws {
        let likes = (1...2000).map { #""v\#($0)": { "like": "v\#($0 - 1)" }"# }
        let sequences = (1...2000).map { #""s\#($0)": { "sequence": ["s\#($0 - 1)"] }"# }
        let variants = [#""v0": { "text": "far" }"#, #""s0": { "sequence": ["v2000"] }"#] + likes + sequences
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "stubs": { "variants": { \#(variants.joined(separator: ", ")) } } }"#)
        for name in ["v2000", "s2000"] {
            let run = await InProcess().run("send", "a", "--stub", name, in: workspace)
            #expect(run.outputText == "far", "\(name): \(run.errors)")
        }
    }

    @Test(
        "A cycle of variants is an error that names each variant in it",
        arguments: [
            ("l", "b → c → b"), ("s", "t → u → t"), ("x", "x → x"), ("w", "w → w"),
        ])
    func circles(_ name: String, _ way: String) async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "stubs": { "variants": {
                    "l": { "like": "b" }, "b": { "like": "c" }, "c": { "like": "b" }, "x": { "like": "x" },
                    "s": { "sequence": ["b0", "t"] }, "t": { "sequence": ["u"] }, "u": { "sequence": ["b0", "t"] },
                    "w": { "sequence": [{ "sequence": ["w"] }] }, "b0": { "text": "" } } } }
                """#)
        let run = await InProcess().run("send", "a", "--stub", name, in: workspace)
        #expect(run.status == 3)
        #expect(run.errors.contains(": error: stub variants refer to each other in a cycle: \(way)\n"))
    }

    @Test("A stub's delay is waited for, and like inherits it")
    func delay() async throws {
        let workspace = try workspace(#"{ "sequence": ["slow", { "like": "ok", "delay": 1.5 }] }"#)
        let program = InProcess()
        let run = await program.run("send", "a", "--stub", in: workspace)
        #expect(run.outputText == "ok")
        #expect(program.sleeps.durations == [.milliseconds(80), .seconds(1), .milliseconds(1500)])
    }

    @Test("A delay longer than the timeout fails when the timeout expires")
    func delayAndTimeout() async throws {
        let workspace = try workspace(#"{ "text": "ok", "delay": "5s" }"#, timeout: "\"2s\"")
        let program = InProcess()
        let run = await program.run("send", "a", "--stub", in: workspace)
        #expect(run.status == 7)
        #expect(run.outputText.isEmpty)
        #expect(run.errors.hasPrefix("error: a.test took too long (stub x): "))
        #expect(program.sleeps.durations == [.seconds(2)])
    }

    @Test("A sequence that expands to too many steps is an error")
    func doubling() async throws {
        let doubling = (1...60).map { #""s\#($0)": { "sequence": ["s\#($0 - 1)", "s\#($0 - 1)"] }"# }
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "stubs": { "variants": { "s0": { "text": "ok" }, \#(doubling.joined(separator: ", ")) } } }"#)
        let run = await InProcess().run("send", "a", "--stub", "s60", in: workspace)
        #expect(run.status == 3)
        #expect(run.errors.contains(#"error: the sequence "s60" has more than 10000 steps"#), "\(run.errors)")
        #expect(await InProcess().run("send", "a", "--stub", "s12", in: workspace).outputText == "ok")
    }
}

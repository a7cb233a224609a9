import TestSupport
import Testing

/// `--shard auto` takes the part from the variables of the CI system.
struct ShardChoiceTests {
    private static let files = MemoryFiles([
        "/work/endpoints/a.json": #"{"path": "/a", "expect": {"status": 200}}"#,
        "/work/environments/development.json": #"{"baseURL": "http://localhost"}"#,
    ])

    /// The part that a list names: `2/5`.
    private static func part(_ shard: String, _ variables: [String: String]) async -> (String?, Run) {
        let run = await reqcli("check", "--list", "--shard", shard, files: files, variables: variables)
        let part = run.output.firstMatch(of: /\(shard ([0-9]+\/[0-9]+)\)/).map { String($0.1) }
        return (part, run)
    }

    @Test(
        "each CI system has its variables, and its first number",
        arguments: [
            (["REQCLI_SHARD_INDEX": "0", "REQCLI_SHARD_COUNT": "3"], "1/3"),
            (["REQCLI_SHARD_INDEX": "2", "REQCLI_SHARD_COUNT": "3"], "3/3"),
            (["GITLAB_CI": "true", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"], "1/3"),
            (["GITLAB_CI": "true", "CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "3"], "3/3"),
            (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"], "1/4"),
            (["CIRCLE_NODE_INDEX": "3", "CIRCLE_NODE_TOTAL": "4"], "4/4"),
            (["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2"], "1/2"),
            (["BITBUCKET_PARALLEL_STEP": "1", "BITBUCKET_PARALLEL_STEP_COUNT": "2"], "2/2"),
            (["SEMAPHORE_JOB_INDEX": "1", "SEMAPHORE_JOB_COUNT": "2"], "1/2"),
            (["SEMAPHORE_JOB_INDEX": "2", "SEMAPHORE_JOB_COUNT": "2"], "2/2"),
            // What the job sets itself beats what its system sets.
            (
                [
                    "REQCLI_SHARD_INDEX": "0", "REQCLI_SHARD_COUNT": "2", "CIRCLE_NODE_INDEX": "3",
                    "CIRCLE_NODE_TOTAL": "4",
                ],
                "1/2"
            ),
            // A number with zeros in front.
            (["REQCLI_SHARD_INDEX": "00", "REQCLI_SHARD_COUNT": "02"], "1/2"),
        ])
    func systems(_ variables: [String: String], _ expected: String) async {
        let (part, run) = await Self.part("auto", variables)
        #expect(part == expected, "\(run)")
    }

    @Test(
        "the number of parts may be given by hand",
        arguments: [
            (["JOB_COMPLETION_INDEX": "0"], "1/5"), (["JOB_COMPLETION_INDEX": "4"], "5/5"),
            (["REQCLI_SHARD_INDEX": "1"], "2/5"),
            (["GITLAB_CI": "true", "CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "5"], "5/5"),
        ])
    func countByHand(_ variables: [String: String], _ expected: String) async {
        let (part, run) = await Self.part("auto/5", variables)
        #expect(part == expected, "\(run)")
    }

    @Test(
        "what makes no sense is exit 2, with a message that says what to set",
        arguments: [
            (
                [:], "auto", "no variable of a CI system gives the number of this shard",
                "set REQCLI_SHARD_INDEX (from 0) and REQCLI_SHARD_COUNT, or name the part, as in --shard 2/5"
            ),
            (
                ["GITHUB_ACTIONS": "true"], "auto", "no variable of a CI system gives the number of this shard",
                "GitHub Actions sets no such variables; add to the job: env: {REQCLI_SHARD_INDEX: "
                    + "\"${{ strategy.job-index }}\", REQCLI_SHARD_COUNT: \"${{ strategy.job-total }}\"}"
            ),
            // Others than GitLab count from 0 with these variables.
            (
                ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"], "auto",
                "no variable of a CI system gives the number of this shard",
                "set REQCLI_SHARD_INDEX (from 0) and REQCLI_SHARD_COUNT, or name the part, as in --shard 2/5"
            ),
            (
                ["GITLAB_CI": "true", "CI_NODE_TOTAL": "1"], "auto", "CI_NODE_TOTAL is set, but CI_NODE_INDEX is not",
                "add \"parallel: 4\" to the job"
            ),
            (
                ["REQCLI_SHARD_INDEX": "1"], "auto", "REQCLI_SHARD_INDEX is set, but REQCLI_SHARD_COUNT is not",
                "set both variables; REQCLI_SHARD_INDEX counts from 0"
            ),
            (
                ["REQCLI_SHARD_INDEX": "", "REQCLI_SHARD_COUNT": "3"], "auto",
                "REQCLI_SHARD_COUNT is set, but REQCLI_SHARD_INDEX is not",
                "set both variables; REQCLI_SHARD_INDEX counts from 0"
            ),
            (
                ["REQCLI_SHARD_INDEX": "3", "REQCLI_SHARD_COUNT": "3"], "auto",
                "REQCLI_SHARD_INDEX is 3, but REQCLI_SHARD_COUNT is 3",
                "REQCLI_SHARD_INDEX counts from 0, so that the last part is 2"
            ),
            (
                ["GITLAB_CI": "true", "CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"], "auto",
                "CI_NODE_INDEX is \"0\", which is not a whole number of at least 1", "add \"parallel: 4\" to the job"
            ),
            (
                ["CIRCLE_NODE_INDEX": "-1", "CIRCLE_NODE_TOTAL": "3"], "auto",
                "CIRCLE_NODE_INDEX is \"-1\", which is not a whole number of at least 0",
                "add \"parallelism: 4\" to the job"
            ),
            (
                ["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "0"], "auto",
                "BUILDKITE_PARALLEL_JOB_COUNT is \"0\", which is not a valid number of parts",
                "add \"parallelism: 4\" to the step"
            ),
            (
                ["CIRCLE_NODE_INDEX": "9223372036854775807", "CIRCLE_NODE_TOTAL": "3"], "auto",
                "CIRCLE_NODE_INDEX is \"9223372036854775807\", which is not a whole number of at least 0",
                "add \"parallelism: 4\" to the job"
            ),
            (
                ["SEMAPHORE_JOB_INDEX": "x", "SEMAPHORE_JOB_COUNT": "2"], "auto",
                "SEMAPHORE_JOB_INDEX is \"x\", which is not a whole number of at least 1",
                "add \"parallelism: 4\" to the job"
            ),
            (
                ["JOB_COMPLETION_INDEX": "0"], "auto",
                "JOB_COMPLETION_INDEX is set, but no variable says how many parts there are",
                "add the number of parts, as in --shard auto/5; it must equal \"completions\" of the Job"
            ),
            (
                ["JOB_COMPLETION_INDEX": "5"], "auto/5", "JOB_COMPLETION_INDEX is 5, but --shard auto/5 has 5 parts",
                "JOB_COMPLETION_INDEX counts from 0, so that the last part is 4"
            ),
            (
                ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "3"], "auto/5",
                "CIRCLE_NODE_TOTAL is 3, but --shard is auto/5", "write --shard auto"
            ),
        ] as [([String: String], String, String, String)])
    func nonsense(_ variables: [String: String], _ shard: String, _ message: String, _ advice: String) async {
        let (_, run) = await Self.part(shard, variables)
        #expect(run.status == 2)
        #expect(run.output == "")
        let word = shard == "auto/5" && message.hasPrefix("no variable") ? "auto/5" : "auto"
        #expect(run.messages == "error: --shard \(word): \(message)\n  \(advice)\n")
    }

    @Test(
        "a value that is no part is refused", arguments: ["auto/", "auto/0", "auto/x", "automatic", "0/2", "1/1000000"])
    func values(_ shard: String) async {
        let (_, run) = await Self.part(shard, ["REQCLI_SHARD_INDEX": "0", "REQCLI_SHARD_COUNT": "2"])
        #expect(run.status == 2)
        #expect(
            run.messages.hasPrefix(
                #"error: --shard takes K/N, such as 2/5 for the second of five parts, or "auto", or "auto/N"; "#))
    }

    @Test("--balance has parts to deal out, and its file must be a report")
    func balance() async {
        let alone = await reqcli("check", "--list", "--balance", "timings.json", files: Self.files)
        #expect(alone.status == 2)
        #expect(
            alone.messages.hasPrefix(
                "error: --balance can only be used together with --shard\n  add --shard "))
        let missing = await reqcli("check", "--list", "--shard", "1/2", "--balance", "none.json", files: Self.files)
        #expect(missing.status == 2)
        #expect(missing.messages == "error: cannot read none.json: there is no such file\n")
    }
}

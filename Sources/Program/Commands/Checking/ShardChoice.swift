import Checking
import CommandLineKit
import ReqcliText

/// The value of `--shard`: a part of the run, or `auto`, which takes the part from variables of the CI system.
enum ShardChoice: Sendable, Equatable {
    case given(Shard)
    /// The part from the variables of the CI system. `count` is the number of parts if the user gave it.
    case auto(count: Int?)

    init?(_ text: String) {
        if text == Self.word {
            self = .auto(count: nil)
        } else if text.hasPrefix(Self.word + "/") {
            // The number of parts follows the rules of K/N. To check these rules, the number is read as 1/N.
            guard let shard = Shard("1/" + text.dropFirst(Self.word.count + 1)) else { return nil }
            self = .auto(count: shard.count)
        } else {
            guard let shard = Shard(text) else { return nil }
            self = .given(shard)
        }
    }

    static let word = "auto"

    var text: String {
        switch self {
        case .given(let shard): shard.text
        case .auto(let count): Self.word + (count.map { "/\($0)" } ?? "")
        }
    }

    /// The part that the user gave, or for `auto` the part that the variables name.
    ///
    /// - Parameter variable: A variable of the process; nil if it is not set or empty.
    func shard(_ variable: (String) -> String?) throws(Failure) -> Shard {
        switch self {
        case .given(let shard): return shard
        case .auto(let count):
            guard let system = ParallelSystem.all.first(where: { $0.isActive(variable) }) else {
                throw ParallelSystem.noneFound(variable, count: count)
            }
            return try system.shard(variable, count: count)
        }
    }
}

/// The variables in which a CI system tells a job which of several parallel jobs it is.
struct ParallelSystem: Sendable {
    let index: String
    /// The variable for the number of parts; nil if the system has no such variable.
    let count: String?
    /// The number that the system gives to the first part: 0 or 1.
    let base: Int
    /// A variable that must be set as well, because other systems use the same names but count from another base.
    var marker: String?
    /// The advice on how to make the system set the variables.
    let advice: String

    /// The systems in the order of search. The variables that a job sets itself come first.
    static let all = [
        ParallelSystem(
            index: "REQCLI_SHARD_INDEX", count: "REQCLI_SHARD_COUNT", base: 0,
            advice: "set both variables; REQCLI_SHARD_INDEX counts from 0"),
        ParallelSystem(
            index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", base: 1, marker: "GITLAB_CI",
            advice: "add \"parallel: 4\" to the job"),
        ParallelSystem(
            index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", base: 0,
            advice: "add \"parallelism: 4\" to the job"),
        ParallelSystem(
            index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", base: 0,
            advice: "add \"parallelism: 4\" to the step"),
        ParallelSystem(
            index: "BITBUCKET_PARALLEL_STEP", count: "BITBUCKET_PARALLEL_STEP_COUNT", base: 0,
            advice: "put the step into \"parallel\""),
        ParallelSystem(
            index: "SEMAPHORE_JOB_INDEX", count: "SEMAPHORE_JOB_COUNT", base: 1,
            advice: "add \"parallelism: 4\" to the job"),
        ParallelSystem(
            index: "JOB_COMPLETION_INDEX", count: nil, base: 0,
            advice: "add the number of parts, as in --shard auto/5; it must equal \"completions\" of the Job"),
    ]

    func isActive(_ variable: (String) -> String?) -> Bool {
        if let marker, variable(marker) == nil { return false }
        return variable(index) != nil || count.flatMap(variable) != nil
    }

    /// The part that the variables name.
    ///
    /// - Parameter given: The number of parts, if the user gave it.
    func shard(_ variable: (String) -> String?, count given: Int?) throws(Failure) -> Shard {
        guard let indexText = variable(index) else {
            throw failure("\(count ?? "") is set, but \(index) is not", hint: advice)
        }
        guard let number = Self.number(indexText), number >= base else {
            throw failure("\(index) is \"\(indexText)\", which is not a whole number of at least \(base)", hint: advice)
        }
        let total = try total(variable, given: given)
        guard let shard = Shard(index: number - base + 1, of: total) else {
            let source = given == nil ? "\(count ?? "") is \(total)" : "--shard auto/\(total) has \(total) parts"
            throw failure(
                "\(index) is \(number), but \(source)",
                hint: "\(index) counts from \(base), so that the last part is \(total - 1 + base)")
        }
        return shard
    }

    private func total(_ variable: (String) -> String?, given: Int?) throws(Failure) -> Int {
        let text = count.flatMap(variable)
        guard let count, let text else {
            if let given { return given }
            throw failure(
                count.map { "\(index) is set, but \($0) is not" }
                    ?? "\(index) is set, but no variable says how many parts there are", hint: advice)
        }
        guard let total = Self.number(text), (1...Shard.most).contains(total) else {
            throw failure("\(count) is \"\(text)\", which is not a valid number of parts", hint: advice)
        }
        if let given, given != total {
            throw failure("\(count) is \(total), but --shard is auto/\(given)", hint: "write --shard auto")
        }
        return total
    }

    /// The number written in digits; nil for other strings, and for numbers too large for arithmetic.
    private static func number(_ text: String) -> Int? {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int(text).flatMap { $0 < 1_000_000_000 ? $0 : nil }
    }

    private func failure(_ message: String, hint: String) -> Failure {
        Failure(.usage, code: .shardInvalid, "--shard auto: \(message)", hint: hint)
    }

    /// The failure if no system has set its variables.
    static func noneFound(_ variable: (String) -> String?, count: Int?) -> Failure {
        let hint: String
        if variable("GITHUB_ACTIONS") != nil {
            hint = """
                GitHub Actions sets no such variables; add to the job: env: {REQCLI_SHARD_INDEX: \
                "${{ strategy.job-index }}", REQCLI_SHARD_COUNT: "${{ strategy.job-total }}"}
                """
        } else if let system = all.first(where: { $0.marker.flatMap(variable) != nil }) {
            hint = system.advice
        } else {
            hint = """
                set REQCLI_SHARD_INDEX (from 0) and REQCLI_SHARD_COUNT, or name the part, as in --shard 2/5
                """
        }
        return Failure(
            .usage, code: .shardInvalid,
            "--shard auto\(count.map { "/\($0)" } ?? ""): no variable of a CI system gives the number of this shard",
            hint: hint)
    }
}

extension ValueSpec where Value == ShardChoice {
    static let shard = ValueSpec(
        "K/N", expected: Shard.expectation,
        words: [ValueWord(ShardChoice.word, "Take K and N from the variables of the CI system")], text: { $0.text }
    ) { (text) throws(InvalidValue) in
        guard let choice = ShardChoice(text) else { throw InvalidValue() }
        return choice
    }
}

import CommandLineKit
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The command line that repeats a recorded call, for `send --again` and `edit`.
struct CallAgain {
    /// The arguments of the new command line.
    private let arguments: ParsedArguments
    private let words: [String]
    private let context: Context
    let number: Int
    /// The name of the call for files about it, also after its number was given to another call.
    let identity: String
    private let call: KeptCall

    /// The call that `send --again` repeats.
    init(_ arguments: ParsedArguments, _ context: Context) throws(Failure) {
        try self.init(
            number: arguments[SendOptions.again].last ?? nil, arguments, words: arguments.positionals, context)
    }

    /// - Parameters:
    ///   - number: The number of the call; nil for the last call.
    ///   - words: The params of the new command line.
    init(number: Int?, _ arguments: ParsedArguments, words: [String], _ context: Context) throws(Failure) {
        guard let history = History(of: try context.openIfThere(arguments), context) else {
            throw Failure(
                .usage, code: .historyMissing, "there is no history without a home folder", hint: "set HOME")
        }
        let (kept, entry) = try history.entry(number: number)
        self.arguments = arguments
        self.words = words
        self.context = context
        self.number = kept.number
        identity = "\(kept.number)-\(Int(entry.time))"
        call = entry.call
    }

    /// Rejects an endpoint on the command line, because the recorded call already has an endpoint.
    static func refuseTarget(_ arguments: ParsedArguments) throws(UsageError) {
        let other = arguments.positionals.first { TypedRequest.Item.parts(of: $0) == nil }
        guard let other else { return }
        throw UsageError(
            "--again repeats a call of the history, so it takes only NAME=VALUE; found \"\(other)\"",
            hint: "leave out --again, or that word", command: "send")
    }

    func command() throws(Failure) -> SendCommand {
        let options = arguments.givenOptions.filter { $0.name != SendOptions.again.spec.name }
        let line = try call.line((options, words)) { (word) throws(Failure) in try value(of: word) }
        do throws(UsageError) {
            guard case .run(let parsed) = try Program.spec.parse(line) else {
                throw UsageError("call \(number) was not made with send")
            }
            return try SendCommand(parsed)
        } catch {
            throw Failure(
                .usage,
                error.problems.map {
                    Diagnostic(code: .usageInvalid, "call \(number): \($0.message)", at: nil, hint: $0.hint)
                })
        }
    }

    /// Asks the user for a value that isn't kept, if there is a terminal.
    private func value(of word: KeptCall.Word) throws(Failure) -> String {
        if TrustFlags(arguments).mayAsk, context.terminal.canAsk {
            switch context.terminal.askSecret("\(word.text)") {
            case .line(let text): return text
            case .interrupted: throw Failure(.interrupted, [])
            case .end: break
            }
        }
        throw Failure(
            .usage, code: .historyMissing,
            "call \(number) had \(word.text)…, but the history keeps no value that is or looks like a secret",
            hint: "add the value: reqcli send --again \(number) \(ShellQuoting.quoted(word.text + "VALUE"))")
    }
}

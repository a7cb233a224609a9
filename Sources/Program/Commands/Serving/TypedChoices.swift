import CommandLineKit
import Foundation
import Glibc
import ReqcliMocking
import ReqcliText

/// Choices of variants that are typed at the terminal while a server runs.
struct TypedChoices: Sendable {
    /// The maximum number of endpoints that `?` lists.
    private static let listed = 40

    private let engine: MockEngine
    private let context: Context

    /// Nil if the user can't type: standard input is not a terminal, or this process is in the background, and reading would stop
    /// the process.
    init?(_ engine: MockEngine, _ context: Context) {
        guard context.terminal.isTerminal(.input), [-1, getpgrp()].contains(tcgetpgrp(STDIN_FILENO)) else { return nil }
        self.engine = engine
        self.context = context
    }

    /// How to choose, for the start of the server; empty if there is nothing to choose.
    var hint: String {
        engine.exampleChoice.map { "; type \(TerminalText.harmless($0)) to choose, reset to forget, ? for help" } ?? ""
    }

    /// Reads lines, on a separate thread.
    func start() {
        Thread.detachNewThread {
            while case .line(let line) = context.terminal.readLine() {
                let reply = Self.reply(to: line, engine)
                if !reply.isEmpty { context.messages.write(TerminalText.harmless(reply, keepingLines: true) + "\n") }
            }
        }
    }

    /// Runs a typed line, and returns the text to show.
    static func reply(to line: String, _ engine: MockEngine) -> String {
        let words = line.split(separator: " ").map(String.init)
        guard let word = words.first, words.count == 1 else {
            let example = engine.exampleChoice.map { ", such as \($0)" } ?? ""
            return words.isEmpty ? "" : "type one choice per line\(example); ? for help"
        }
        let session = IncomingRequest.standardSession
        switch word {
        case "?", "help": return help(engine)
        case "reset":
            engine.reset(session: session)
            return "chosen variants, positions in sequences, counts and journal are reset"
        default: break
        }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return "\(word) is not a choice; type ENDPOINT=VARIANT, or ? for help" }
        let variant = parts[1].isEmpty ? nil : parts[1]
        if let complaint = engine.choose([(parts[0], variant)], session: session) { return complaint }
        return variant == nil ? "\(parts[0]) has no chosen variant any more" : "\(parts[0]) responds with \(parts[1])"
    }

    private static func help(_ engine: MockEngine) -> String {
        let rows = engine.variants(session: IncomingRequest.standardSession)
        let lines = rows.prefix(listed).map { row in
            "  \(row.endpoint)=" + row.names.map { $0 == row.chosen ? "\($0) (chosen)" : $0 }.joined(separator: " | ")
        }
        let rest = rows.count > listed ? ["  … \(rows.count - listed) more"] : []
        return
            ([
                "ENDPOINT=VARIANT chooses, ENDPOINT= removes the choice, reset forgets everything, Ctrl-C ends", "",
            ] + lines + rest).joined(separator: "\n")
    }
}

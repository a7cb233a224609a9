import CommandLineKit
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@testable import Commands

/// Short forms give a meaning to lines that were mistakes. Every other line keeps its meaning.
@Suite("Lines without short forms")
struct OldGrammarTests {
    @Test("20,000 random lines mean what they are made of", arguments: 0..<20)
    func lines(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let line = Line(&generator)
            guard case .run(let parsed) = try Program.spec.parse(line.words) else {
                Issue.record("\(line.words)")
                continue
            }
            #expect(parsed.command.name == line.command, "\(line.words)")
            #expect(parsed.positionals == line.target + line.items.map(\.word), "\(line.words)")
            #expect(parsed.givenOptions.map(\.name) == line.options.map(\.name), "\(line.words)")
            #expect(parsed.givenOptions.map(\.value) == line.options.map(\.value), "\(line.words)")
            guard line.isTyped else {
                #expect(try TypedRequest(parsed) == nil)
                continue
            }
            #expect(try TypedRequest(parsed)?.items == line.items.map(\.item), "\(line.words)")
        }
    }

    private struct Line {
        var command = ""
        var options: [(words: [String], name: String, value: String?)] = []
        var target: [String] = []
        var items: [(word: String, item: TypedRequest.Item)] = []
        var isTyped = false
        var words: [String] = []

        init(_ generator: inout SeededGenerator) {
            command = Self.one(of: ["send", "render", "explain"], &generator)
            isTyped = Bool.random(using: &generator)
            if isTyped {
                let targets = [
                    "https://h", "http://h:1/a?b=c", "localhost:80/x", "127.0.0.1:8080", "/users", "localhost/",
                ]
                let method = Self.one(of: ["GET", "post", "PUT", "X-ODD"], &generator)
                target = (Bool.random(using: &generator) ? [method] : []) + [Self.one(of: targets, &generator)]
                for _ in 0..<Int.random(in: 0...4, using: &generator) { items.append(Self.item(&generator)) }
            } else {
                target = [Self.one(of: ["ping", "user.get", "a.b.c", "send"], &generator)]
            }
            for _ in 0..<Int.random(in: 0...3, using: &generator) { add(&generator) }
            // An option may stand before, between and behind the other words.
            var rest = [command] + target + items.map(\.word)
            for option in options {
                let count = Int.random(in: 0...rest.count, using: &generator)
                words += rest.prefix(count) + option.words
                rest.removeFirst(count)
            }
            words += rest
        }

        private mutating func add(_ generator: inout SeededGenerator) {
            let value = Self.text(&generator)
            let all: [(short: String?, name: String, value: String?)] = [
                ("-H", "header", "\(Self.name(&generator)): \(value)"),
                ("-q", "query", "\(Self.name(&generator))=\(value)"),
                ("-e", "env", Self.name(&generator)), (nil, "body", value), (nil, "base-url", "http://h"),
                (nil, "timeout", "3s"), (nil, "no-input", nil), (nil, "netrc", nil), ("-x", "proxy", "http://p:1"),
            ]
            let option = Self.one(
                of: all.filter { new in new.name == "header" || !options.contains { $0.name == new.name } }, &generator)
            var forms = [["--\(option.name)"]]
            if let value = option.value {
                forms = [["--\(option.name)=\(value)"], ["--\(option.name)", value]]
                if let short = option.short { forms += [[short, value], [short + "=" + value]] }
            }
            options.append((Self.one(of: forms, &generator), option.name, option.value))
        }

        private static func item(_ generator: inout SeededGenerator) -> (word: String, item: TypedRequest.Item) {
            let colon = Bool.random(using: &generator) ? ":" + name(&generator) : ""
            // With a capital letter and a colon, a word is a header.
            let (name, value) = ((colon.isEmpty ? "" : "n") + name(&generator) + colon, text(&generator))
            switch Int.random(in: 0...3, using: &generator) {
            case 0: return ("\(name)==\(value)", .query(name: name, value: value))
            case 1: return ("\(name):=7", .member(TypedBody.Member(name: name, value: .json(7))))
            case 2: return ("\(name)@=\(value)", .member(TypedBody.Member(name: name, value: .textOfFile(value))))
            default:
                let text = value.hasPrefix("=") ? "" : value
                return ("\(name)=\(text)", .member(TypedBody.Member(name: name, value: .text(text))))
            }
        }

        private static func name(_ generator: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                one(of: ["a", "b", "Z", "0", "_", "-"], &generator)
            }
            .joined().replacing(/^-/, with: "n")
        }

        private static func text(_ generator: inout SeededGenerator) -> String {
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                one(of: ["a", "=", " ", ":", "@", "é", "[", "]", "\\", "{", ";", "/", "7"], &generator)
            }.joined()
        }

        private static func one<Element>(of all: [Element], _ generator: inout SeededGenerator) -> Element {
            all[Int.random(in: 0..<all.count, using: &generator)]
        }
    }
}

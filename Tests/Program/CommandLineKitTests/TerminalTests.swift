import CommandLineKit
import Glibc
import TestSupport
import Testing

struct TerminalTests {
    @Test(
        "COLUMNS beats the window, which beats 80",
        arguments: [
            ("100", 120, 100), (nil, 120, 120), (nil, nil, 80), ("", 120, 120), ("x", 120, 120), ("0", 120, 120),
            ("-5", nil, 80), (nil, 0, 80),
        ] as [(String?, Int?, Int)])
    func width(_ columns: String?, _ window: Int?, _ expected: Int) {
        #expect(TerminalWidth.chosen(columns: columns, window: window) == expected)
    }

    @Test("A terminal of a test answers from its list, then has no more")
    func testTerminal() {
        let terminal = Terminal.test(width: 40, terminals: [.input, .error], answers: ["a"])
        #expect(terminal.canAsk)
        #expect(!terminal.isTerminal(.output))
        #expect(terminal.ask("?") == .line("a"))
        #expect(terminal.askSecret("?") == .end)
        #expect(!Terminal.test(terminals: [.input]).canAsk)
    }

    /// Both ends of a pseudo-terminal, and a terminal on its far end.
    private func withTerminal(_ body: (_ near: Int32, Terminal, _ far: Int32) throws -> Void) throws {
        var (near, far): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: 66, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&near, &far, nil, nil, &size) == 0)
        defer {
            close(near)
            close(far)
        }
        try body(near, .live(input: far, output: far, error: far, environment: { _ in nil }), far)
    }

    private func type(_ keys: String, into descriptor: Int32) {
        let bytes = Array(keys.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private func screen(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("A real terminal knows that it is one, and how wide")
    func realTerminal() throws {
        try withTerminal { _, terminal, _ in
            #expect(terminal.canAsk && terminal.isTerminal(.output))
            #expect(terminal.width() == 66)
        }
    }

    @Test("A line is read, and what comes after it is left alone")
    func line() throws {
        try withTerminal { near, terminal, _ in
            type("first\nsecond\n", into: near)
            #expect(terminal.ask("Name? ") == .line("first"))
            #expect(terminal.readLine() == .line("second"))
            type("\u{04}", into: near)
            #expect(terminal.readLine() == .end)
        }
    }

    @Test(
        "A secret is read without being shown, keys that edit it work, and Ctrl-C gives up", .timeLimit(.minutes(10)),
        arguments: [
            ("pin\n", .line("pin")), ("pin\r", .line("pin")), ("pix\u{7F}n\n", .line("pin")),
            ("é\u{7F}é\n", .line("é")), ("\u{7F}\u{15}a\n", .line("a")), ("wrong\u{15}pin\n", .line("pin")),
            ("ab\u{03}", .interrupted), ("\u{04}", .end), ("a\u{04}b\n", .line("ab")), ("a\u{1B}b\n", .line("ab")),
        ] as [(String, Terminal.Answer)])
    func secret(_ keys: String, _ expected: Terminal.Answer) throws {
        try withTerminal { near, terminal, far in
            var before = termios()
            tcgetattr(far, &before)
            // The keys are typed once the question is on the screen: what was typed before it is dropped, as a
            // secret must not be something that was meant for another program.
            let answer = Answers()
            let asking = answer.start { terminal.askSecret("PIN? ") }
            defer { asking.wait() }
            #expect(screen(near) == "PIN? ")
            awaitNoEcho(far)
            type(keys, into: near)
            asking.wait()
            #expect(answer.value == expected)
            #expect(screen(near) == "\r\n")
            var after = termios()
            tcgetattr(far, &after)
            #expect(after.c_lflag == before.c_lflag)
        }
    }

    /// Spins until the reader has turned echo off; it always comes to that, or the test's time is up.
    private func awaitNoEcho(_ descriptor: Int32) {
        var settings = termios()
        repeat {
            sched_yield()
            tcgetattr(descriptor, &settings)
        } while settings.c_lflag & tcflag_t(ECHO) != 0
    }

    @Test("A file instead of a terminal is read as lines, for secrets too")
    func file() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        type("one\ntwo\nthree", into: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        let terminal = Terminal.live(input: ends[0], output: ends[0], error: ends[0], environment: { _ in nil })
        #expect(!terminal.canAsk)
        #expect(terminal.width() == 80)
        #expect(terminal.readLine() == .line("one"))
        #expect(terminal.readSecret {} == .line("two"))
        #expect(terminal.readLine() == .line("three"))
        #expect(terminal.readLine() == .end)
    }
}

import Calling
import Foundation
import RequestBuilding
import TestSupport
import Testing
import ToolSupport

/// A typed request and the endpoint that `--save` makes of it are the same on the wire.
struct SavedRequestWireTests {
    @Test(
        "Random typed requests are the same on the wire when they are sent again by their ids",
        .timeLimit(.minutes(60)))
    func sameBytes() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["WIRE_CASES"].flatMap { Int($0) } ?? 1000
        let seed = environment["WIRE_SEED"].flatMap { UInt64($0) } ?? 1
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "environments/development.json": #"{ "baseURL": "http://127.0.0.1:\#(server.port)" }"#,
            "endpoints/one.json": "{}", "note.txt": "a\n\"b\" {{c}}\n",
        ])
        let caller = Caller(workspace: workspace, variables: [:])
        var source = TypedCalls(
            text: HostileText(random: SeededGenerator(seed: seed)), server: "http://127.0.0.1:\(server.port)",
            file: workspace.path("note.txt"))
        var failures: [String] = []
        for number in 0..<count {
            let call = source.next(number)
            let before = server.requests.count
            let id = "g\(number / 20).c\(number)"
            let saved = await caller.run(["send"] + call.words + ["--save", id])
            let again = await caller.run(["send", id] + call.valuesOnceMore)
            let requests = server.requests[before...]
            if saved.status != 0 || again.status != 0 || requests.count != 2 || requests.first != requests.last {
                failures.append("\(number): \(call.words)\n\(saved.errors)\(again.errors)\(Array(requests))")
            }
        }
        #expect(failures.isEmpty, "\(failures.count) failures\n\(failures.prefix(5).joined(separator: "\n"))")
        let validation = await caller.run(["validate"])
        #expect(validation.status == 0, "\(validation.errors)")
    }
}

/// Makes random requests as people type them, with odd names and values.
private struct TypedCalls {
    struct Call {
        var words: [String] = []
        /// The values that a file doesn't hold.
        var valuesOnceMore: [String] = []
    }

    var text: HostileText
    let server: String
    let file: String

    mutating func next(_ number: Int) -> Call {
        var call = Call()
        if text.chance(2) { call.words.append(text.pick(["GET", "post", "PUT", "PATCH", "DELETE", "QUERY"])) }
        // A list or a range in the path would be several requests, which --save refuses.
        let path = path(number).replacing("{a,b}", with: "{ab}").replacing("[a-z]", with: "[az]")
        call.words.append(server + path + query())
        addItems(&call, count: text.int(0...3)) { "\($0)==\($1)" }
        let isForm = text.chance(3)
        if isForm { call.words.append("--form") }
        if !isForm, text.chance(4) {
            let bodies = ["b" + text.lines(), #"{"a":[1,"{{b}}"]}"#, #"{ "a": 1.0 }"#, "@\(file)"]
            call.words += ["--body", text.pick(bodies)]
        } else {
            addMembers(&call, isForm: isForm)
        }
        for _ in 0..<text.int(0...2) {
            let headers = ["X-A: \(text.plain())", "X-B;", "Accept:", "Content-Type: a/b; c=\"{{d}}\""]
            call.words += ["-H", text.pick(headers)]
        }
        if text.chance(4) { call.words += ["-q", "a=\(text.pieces(0...2))"] }
        return call
    }

    private mutating func path(_ number: Int) -> String {
        if text.chance(10) { return "" }
        return "/\(number)/"
            + text.pieces(0...3).filter { !$0.unicodeScalars.contains { "?#".unicodeScalars.contains($0) } }
            + text.pick(["", "/", "{{x}}", "%2f"])
    }

    private mutating func query() -> String {
        guard text.chance(3) else { return "" }
        if text.chance(3) {
            return "?"
                + text.pick(["flag", "a=b+c", "a,b=1", "=x", "", "a=1&", "a=%zz", "a=%FF", "a=1&b=2&a=3", "a[]=é"])
        }
        return "?a=1&b=" + PercentEncoding.queryComponent(text.pieces(0...3))
    }

    private mutating func addItems(
        _ call: inout Call, count: Int, named name: ((inout TypedCalls) -> String)? = nil,
        _ word: (String, String) -> String
    ) {
        for _ in 0..<count {
            let name = name?(&self) ?? self.name()
            let values = (0..<text.int(1...2)).map { _ in
                text.pick([text.lines(), text.pieces(0...3), "7", "007", "true", "", "{{a}}"])
            }
            call.words += values.map { word(name, $0) }
        }
    }

    private mutating func addMembers(_ call: inout Call, isForm: Bool) {
        addItems(&call, count: text.int(0...3), named: isForm ? nil : { $0.member() }) { "\($0)=\($1)" }
        for _ in 0..<text.int(0...2) {
            let json = text.pick([
                "36", "1.50", "-0", "1e400", "true", "null", #"[1,{"a":"{{x}}"}]"#, #""é""#, "{}", #"{ "a b" : [ ] }"#,
                "12345678901234567890", "\"{{\"", #"{"$switch":"a","b":1}"#,
            ])
            call.words.append("\(isForm ? name() : member()):=\(json)")
        }
        if text.chance(4) { call.addTwice("password=s\(text.lines())") }
        if text.chance(4) { call.addTwice("note@=\(file)") }
        if isForm, text.chance(3) {
            call.words.append("photo@\(file)")
            call.valuesOnceMore.append("photo=\(file)")
        }
    }

    /// A name of its own, so that no two that are equal have others between them.
    private mutating func name() -> String {
        names += 1
        return "n\(names)"
            + text.pieces(0...2).filter { !$0.unicodeScalars.contains { "=@:".unicodeScalars.contains($0) } }
    }

    /// The name of a member of a JSON body, in which brackets have a meaning.
    private mutating func member() -> String {
        name().filter { !"[]\\".contains($0) }
            + (text.chance(3) ? text.pick(["[a]", "[]", "[a][]", "[1]", "[\\1\\[]"]) : "")
    }

    private var names = 0

    init(text: HostileText, server: String, file: String) {
        self.text = text
        self.server = server
        self.file = file
    }
}

extension TypedCalls.Call {
    fileprivate mutating func addTwice(_ word: String) {
        words.append(word)
        valuesOnceMore.append(word)
    }
}

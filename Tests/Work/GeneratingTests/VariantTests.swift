import TestSupport
import Testing
import ToolSupport

@Suite struct VariantTests {
    private static let environment = #"{"baseURL": "http://localhost:8080/api"}"#

    private func generate(_ endpoint: String, _ environment: String = environment) async throws -> (
        run: ToolRun, code: String
    ) {
        let workspace = try ToolWorkspace([
            "endpoints/thing.json": endpoint, "environments/development.json": environment,
        ])
        let run = try await Tool.run(["generate", "swift", "-o", "out"], in: workspace)
        return (run, String(decoding: workspace.read("out/APIStubs/ThingAPI+Variants.swift") ?? [], as: UTF8.self))
    }

    private func endpoint(when: String, body: String = #"{"text": "{{name}}"}"#) -> String {
        #"""
        {
            "method": "POST", "path": "thing/{{id}}", "query": {"order": "{{order}}", "ratio": "{{ratio}}", "step": "{{step}}"}, "body": \#(body),
            "params": {
                "id": {"type": "integer"}, "name": {"type": "string"}, "ratio": {"type": "number", "required": false},
                "unsent": {"type": "string"}, "order": {"type": "string", "enum": ["up", "down"], "default": "up"},
                "step": {"type": "number", "enum": [0.5, 1], "required": false}
            },
            "stubs": {"variants": {"special": {"when": \#(when), "status": 404}, "standard": {"json": {}}}}
        }
        """#
    }

    @Test("a condition on a param that a $switch may hide is noted", arguments: [true, false])
    func hiddenParameter(isInChoice: Bool) async throws {
        let value = isInChoice ? ##"{"$switch": "{{up}}", "true": "a", "false": "b"}"## : #""{{up}}""#
        let (run, code) = try await generate(
            ##"""
            {"path": "a", "params": {"up": {"type": "boolean"}}, "query": {"q": \##(value)},
             "stubs": {"variants": {"one": {"when": {"params": {"up": true}}, "status": 404}, "standard": {"json": {}}}}}
            """##)
        #expect(code.contains("if call.up == true {"), "\(code)")
        #expect(run.errors.contains("a $switch or functions may hide it (thing, one)") == isInChoice, "\(run.errors)")
    }

    @Test(
        "a condition is an expression",
        arguments: [
            (#"{"params": {"id": {">": 1000}}}"#, "if call.id > 1000 {"),
            (#"{"params": {"id": {">": 2.5}}}"#, nil),
            (#"{"params": {"id": "5"}}"#, nil),
            (#"{"params": {"id": {"contains": "5"}}}"#, nil),
            (#"{"params": {"ratio": {"not": {"<": 0.5}}}}"#, "if (call.ratio.map { !($0 < 0.5) } ?? false) {"),
            (#"{"params": {"ratio": {"exists": false}}}"#, "if call.ratio == nil {"),
            (#"{"params": {"order": "down"}}"#, #"if call.order.rawValue == "down" {"#),
            (#"{"params": {"step": 0.5}}"#, "if (call.step.map { $0 == .case05 } ?? false) {"),
            (#"{"params": {"step": 7}}"#, nil),
            (#"{"params": {"name": 5}}"#, nil),
            (#"{"params": {"name": "é"}}"#, #"if call.name.utf8.elementsEqual("é".utf8) {"#),
            (
                #"{"params": {"name": {"in": ["a", "b"]}}}"#,
                #"if [Array("a".utf8), Array("b".utf8)].contains(Array(call.name.utf8)) {"#
            ),
            (#"{"params": {"name": {"startsWith": "x"}}}"#, #"if call.name.utf8.starts(with: "x".utf8) {"#),
            (#"{"params": {"name": {"endsWith": "é"}}}"#, #"if call.name.utf8.suffix(2).elementsEqual("é".utf8) {"#),
            (#"{"params": {"name": {"length": 3}}}"#, "if call.name.unicodeScalars.count == 3 {"),
            (#"{"params": {"name": {"matches": "^a"}}}"#, nil),
            (#"{"query": {"order": "up"}}"#, #"if request.queryValues("order").contains(where: { $0 == "up" }) {"#),
            (#"{"query": {"order": 1}}"#, #"if request.queryValues("order").contains(where: { Double($0) == 1.0 }) {"#),
            (#"{"headers": {"X": {"exists": false}}}"#, #"if request.headers.values("X").isEmpty {"#),
            (#"{"headers": {"X": {"exists": true}}}"#, #"if !request.headers.values("X").isEmpty {"#),
            (
                #"{"headers": {"X": {"startsWith": "a", "not": {"endsWith": "b"}}}}"#,
                #"let isMet1 = request.headers.values("X").contains { value in"#
            ),
            (#"{"body": {"contains": "admin"}}"#, #"if body1.contains("admin".utf8) {"#),
            (#"{"body": "admin"}"#, #"if body1.elementsEqual("admin".utf8) {"#),
            (#"{"body": {"empty": true}}"#, "if body1.isEmpty {"),
            (#"{"body": {"not": {"empty": true}}}"#, "if !(body1.isEmpty) {"),
            (
                #"{"body": {"contains": "a text that is longer than others"}}"#,
                #"if body1.contains("a text that is longer than others".utf8) {"#
            ),
            (#"{"json": {"$.name": "x"}}"#, nil),
            (#"{"params": {"unsent": "x"}}"#, nil),
        ])
    func conditions(when: String, expression: String?) async throws {
        let (run, code) = try await generate(endpoint(when: when))
        #expect(run.status == 0, "\(run.errors)")
        let isNoted = run.errors.contains("a condition of a stub variant is not converted (thing, special)")
        guard let expression else {
            #expect(isNoted)
            #expect(!code.contains("func variant"))
            return
        }
        #expect(!isNoted)
        #expect(code.contains("    \(expression)\n"), "\(code)")
    }

    @Test func theBodyOfAFileIsNotRead() async throws {
        let (run, code) = try await generate(
            endpoint(when: #"{"body": {"empty": true}}"#, body: #"{"file": "{{name}}"}"#))
        #expect(run.errors.contains("a condition of a stub variant is not converted (thing, special)"))
        #expect(!code.contains("func variant"))
    }

    @Test func whatRespondsInOtherCasesIsNoted() async throws {
        let (run, _) = try await generate(
            #"{"path": "a", "stubs": {"variants": {"one": {"when": {"query": {"a": "b"}}, "status": 404}}}}"#,
            #"{"baseURL": "http://localhost", "stubs": {"thing": "one"}}"#)
        #expect(run.errors.contains("a call that meets no condition gets the first stub variant (thing)"))
        #expect(
            run.errors.contains(
                "a stub variant that an environment names is replaced by a variant whose conditions are met (development, thing)"
            ))
    }

    @Test func placeholdersAreNoted() async throws {
        let (run, _) = try await generate(
            #"{"path": "a", "stubs": {"variants": {"one": {"fill": true, "json": {"a": "{{$count}}"}}}}}"#)
        #expect(run.errors.contains("placeholders in a stub are not filled (thing, one)"))
    }
}

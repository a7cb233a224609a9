import Importing
import ReqcliText
import Testing

@Suite("Scripts of each tool")
struct ScriptDialectTests {
    enum Tool: String, CaseIterable {
        case postman, insomnia, jetBrains, bruno

        /// What an endpoint gets from a script that runs after its response.
        func definition(_ script: String) throws -> (text: String?, notes: [String]) {
            let json = OrderedJSON.string(script).compact
            let imported =
                switch self {
                case .postman:
                    try ImportedSource(
                        PostmanImport.self,
                        #"{"info": {"name": "S"}, "item": [{"name": "A", "request": "http://h/a", "event": [{"listen": "test", "script": {"exec": \#(json)}}]}]}"#
                    )
                case .insomnia:
                    try ImportedSource(
                        InsomniaImport.self,
                        #"{"_type": "export", "__export_format": 4, "resources": [{"_id": "w", "_type": "workspace", "name": "S"}, {"_id": "r", "_type": "request", "parentId": "w", "name": "A", "method": "GET", "url": "http://h/a", "afterResponseScript": \#(json)}]}"#
                    )
                case .jetBrains: try ImportedSource(HTTPFileImport.self, "GET http://h/a\n\n> {% \(script) %}\n")
                case .bruno:
                    try ImportedSource(
                        BrunoImport.self,
                        "meta {\n  name: A\n}\nget {\n  url: http://h/a\n}\ntests {\n  \(script)\n}\n")
                }
            let members = imported.workspace.groups.first?.endpoints.first?.value.objectMembers ?? []
            let kept = members.filter { ["expect", "capture"].contains($0.name) }
            return (kept.isEmpty ? nil : OrderedJSON.object(kept).compact, imported.notes)
        }
    }

    private static let scripts: [Tool: String] = [
        .postman: """
        pm.test("t", () => { pm.expect(pm.response.code).to.eql(200); pm.expect(pm.response.json().a.b).to.eql(pm.variables.get("x.y")); \
        pm.expect(pm.response.headers.get("X")).to.include("z"); pm.environment.set("id", pm.response.json().id); });
        """,
        .insomnia: """
        insomnia.test("t", () => { insomnia.expect(insomnia.response.code).to.eql(200); \
        insomnia.expect(insomnia.response.json().a.b).to.eql(insomnia.variables.get("x.y")); \
        insomnia.expect(insomnia.response.headers.get("X")).to.include("z"); insomnia.environment.set("id", insomnia.response.json().id); });
        """,
        .jetBrains: """
        client.test("t", () => { client.assert(response.status === 200); client.assert(response.body.a.b === client.global.get("x.y")); \
        client.assert(response.headers.valueOf("X").includes("z")); client.global.set("id", response.body.id); });
        """,
        .bruno: """
        test("t", () => { expect(res.getStatus()).to.eql(200); expect(res.body.a.b).to.eql(bru.getVar("x.y")); \
        expect(res.headers["X"]).to.include("z"); bru.setVar("id", res.getBody().id); });
        """,
    ]

    @Test("A test and a variable mean the same in every tool", arguments: Tool.allCases)
    func same(tool: Tool) throws {
        let found = try tool.definition(#require(Self.scripts[tool]))
        #expect(
            found.text
                == #"{"capture":{"id":{"json":"$.id"}},"expect":{"status":200,"headers":{"X":{"contains":"z"}},"json":{"$.a.b":"{{x_y}}"}}}"#
        )
        #expect(found.notes.allSatisfy { !$0.contains("lost") }, "\(found.notes)")
    }

    @Test(
        "The names of another tool mean nothing",
        arguments: [
            (.postman, #"test("t", () => { expect(res.status).to.eql(200); });"#),
            (.postman, #"insomnia.test("t", () => { insomnia.response.to.have.status(200); });"#),
            (.jetBrains, #"pm.test("t", () => { pm.response.to.have.status(200); });"#),
            (.bruno, #"client.test("t", () => { client.assert(response.status === 200); });"#),
        ] as [(Tool, String)])
    func foreign(tool: Tool, script: String) throws {
        let found = try tool.definition(script)
        #expect(found.text == nil)
        #expect(found.notes.contains { $0.contains("lost") })
    }

    @Test(
        "A statement of a test states a condition or nothing",
        arguments: [
            // A name that the script has given to a value hides the name of the tool.
            ("const responseTime = pm.response.json().t; pm.expect(responseTime).to.be.below(5);", #"{"$.t":{"<":5}}"#),
            (#"pm.expect(pm.response.json().a).to.match(/^\d+$/);"#, #"{"$.a":{"matches":"^[0-9]+$"}}"#),
            (#"pm.expect(pm.response.json().a).to.match(new RegExp("a"));"#, #"{"$.a":{"matches":"a"}}"#),
            (#"pm.expect(pm.response.json().a).to.match(new RegExp("a", "i"));"#, nil),
            ("pm.expect(pm.response.json().a).to.satisfy((v) => Number.isInteger(v));", #"{"$.a":{"type":"integer"}}"#),
            (#"pm.expect(pm.response.json().a).to.satisfy((v) => v !== 3 && v !== 4);"#, nil),
            ("pm.expect(Object.keys(pm.response.json().a)).to.include('b');", nil),
            ("pm.expect(Object.keys(pm.response.json().a).length).to.eql(2);", #"{"$.a":{"length":2}}"#),
            (#"pm.expect(pm.response.json().a).to.eql('it\'s\t\u00e9\ud83d\ude00');"#, #"{"$.a":"it's\té😀"}"#),
            (#"pm.expect(pm.response.json().a).to.eql('\x41');"#, nil),
        ] as [(String, String?)])
    func statement(script: String, expected: String?) throws {
        let found = try Tool.postman.definition("pm.test('t', () => { \(script) });")
        #expect(found.text == expected.map { #"{"expect":{"json":\#($0)}}"# })
        #expect(found.notes.contains { $0.hasSuffix("lost: a test is not converted (t)") } == (expected == nil))
    }
}

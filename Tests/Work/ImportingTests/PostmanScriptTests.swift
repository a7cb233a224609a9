import Importing
import ReqcliText
import Testing

@Suite("Tests of Postman")
struct PostmanScriptTests {
    /// The expectation and the notes that a test script becomes.
    private func expectation(_ script: String) throws -> (expect: String?, notes: [String]) {
        let line = OrderedJSON.string(script).compact
        let imported = try ImportedSource(
            PostmanImport.self,
            #"{"info": {"name": "Shop"}, "item": [{"name": "A", "request": "http://h/a", "event": [{"listen": "test", "script": {"exec": [\#(line)]}}]}]}"#
        )
        let members = imported.workspace.groups.first?.endpoints.first?.value.objectMembers
        return (members?.first { $0.name == "expect" }?.value.compact, imported.notes)
    }

    private static func test(_ body: String) -> String { "pm.test('t', function () { \(body) });" }

    @Test(
        "Statements that are understood become conditions",
        arguments: [
            (test("pm.response.to.have.status(200);"), #"{"status":200}"#),
            (test("pm.response.to.be.ok;"), #"{"status":200}"#),
            ("pm.response.to.have.status(201)", #"{"status":201}"#),
            ("pm.test(\"t\", () => pm.response.to.have.status(200))", #"{"status":200}"#),
            (test("pm.expect(pm.response.code).to.be.oneOf([200, 201]);"), #"{"status":[200,201]}"#),
            (test("pm.expect(pm.response.code).to.eql(404);"), #"{"status":404}"#),
            (test("pm.expect(pm.response.responseTime).to.be.below(200);"), #"{"maxTime":"200ms"}"#),
            (test("pm.response.to.have.header(\"X-A\");"), #"{"headers":{"X-A":{"exists":true}}}"#),
            (
                test("pm.expect(pm.response.headers.get('Content-Type')).to.include('json');"),
                #"{"headers":{"Content-Type":{"contains":"json"}}}"#
            ),
            (test("pm.expect(pm.response.text()).to.include('{{x');"), #"{"body":{"contains":"\\{{x"}}"#),
            (
                test(
                    "var j = pm.response.json(); pm.expect(j.a.b[0]).to.eql('x'); pm.expect(j.n).to.be.a('number'); pm.expect(j.list.length).to.be.above(0);"
                ),
                #"{"json":{"$.a.b[0]":"x","$.n":{"type":"number"},"$.list":{"length":{">":0}}}}"#
            ),
            (
                test("const {a} = 1;") + test("pm.expect(pm.response.json()).to.have.property('id');"),
                #"{"json":{"$.id":{"exists":true}}}"#
            ),
            (
                test("pm.expect(pm.response.json().id).to.exist; pm.expect(pm.response.json().x).to.not.be.undefined;"),
                #"{"json":{"$.id":{"not":{"type":"null"}},"$.x":{"exists":true}}}"#
            ),
            (
                test("pm.expect(pm.response.json().a).to.equal(pm.environment.get('b c'));"), nil
            ),
            (test("pm.expect(pm.response.json().a).to.not.be.empty;"), #"{"json":{"$.a":{"length":{">":0}}}}"#),
            (test("pm.expect(pm.response.json().a).to.match(/^a+$/);"), #"{"json":{"$.a":{"matches":"^a+$"}}}"#),
            (
                "tests['x'] = responseCode.code === 200; var d = JSON.parse(responseBody); tests[\"y\"] = d.a === true && d.b != null;",
                #"{"status":200,"json":{"$.a":true,"$.b":{"not":{"equals":null}}}}"#
            ),
            (
                "tests['t'] = responseBody.has('x'); tests['u'] = responseTime < 1000;",
                #"{"maxTime":"1s","body":{"contains":"x"}}"#
            ),
            ("tests.h = postman.getResponseHeader('ETag');", #"{"headers":{"ETag":{"exists":true}}}"#),
        ] as [(String, String?)])
    func understood(script: String, expected: String?) throws {
        #expect(try expectation(script).expect == expected)
    }

    @Test(
        "A test with one statement that isn't understood is left out as a whole, and named",
        arguments: [
            "pm.response.to.have.status(200); z();", "pm.response.to.have.status(200); if (a) { b(); }",
            "pm.expect(pm.response.code).to.be.below(400);", "pm.expect(x).to.eql(1);",
            "pm.response.to.have.status('OK');",
            "pm.expect(pm.response.json().a).to.eql(`x${y}`);", "pm.expect(pm.response.json().a).to.match(/a/i);",
            "pm.expect(pm.response.json().a).to.match(/(?=a)/);",
            "pm.response.json().forEach(i => pm.expect(i.id).to.exist);",
            "pm.expect(pm.response.json().a).to.eql(1).and.to.eql(2);", "pm.expect(1).to.eql(1);",
            "pm.expect(pm.response.json().a).to.not.be.below(3);", "return;", "",
            "pm.expect(pm.response.json().a + 1).to.eql(2);", "pm.response.to.have.status(200); let x = y;",
        ])
    func refused(body: String) throws {
        let found = try expectation(Self.test(body))
        #expect(found.expect == nil)
        #expect(found.notes == ["1:126: lost: a test is not converted (t)"])
    }

    @Test("A test that contradicts an earlier one is left out")
    func contradiction() throws {
        let found = try expectation(
            "pm.test('a', () => { pm.response.to.have.status(200); });\npm.test('b', () => { pm.response.to.have.status(201); });"
        )
        #expect(found.expect == #"{"status":200}"#)
        #expect(found.notes == ["1:185: lost: a test can't be combined with the other tests of its request (b)"])
    }

    @Test("Statements around a broken one are still understood")
    func recovery() throws {
        let found = try expectation(
            """
            for (var i = 0; i < 3; i++) { go(i); }
            pm.test('a', () => { pm.response.to.have.status(200); });
            let x = a ? b : c
            tests['t'] = responseTime < 5;
            const s = "never closed
            """)
        #expect(found.expect == #"{"status":200,"maxTime":"5ms"}"#)
        #expect(found.notes.count == 3)
    }

    @Test("Hostile scripts end")
    func hostile() throws {
        for unit in [
            "(", "[", "{", "a.", "a(", "=>", "pm.test('t',()=>{", "'", "/", "`${", "&&", "a=", "}", ";", "/*", "\\u",
            "-",
        ] {
            _ = try expectation(String(repeating: unit, count: 20_000))
        }
    }
}

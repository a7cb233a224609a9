import ReqcliAssembly
import ReqcliText
import Testing

@Suite("Policy")
struct PolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let policy: String
        let method: String
        let decision: PolicyDecision
        var testDescription: String { "\(method) under \(policy)" }
    }

    static let rows = [
        Row(policy: "null", method: "DELETE", decision: .allowed),
        Row(policy: "{}", method: "DELETE", decision: .allowed),
        Row(policy: #"{"methods": ["GET", "HEAD"]}"#, method: "GET", decision: .allowed),
        Row(
            policy: #"{"methods": ["GET", "HEAD"]}"#, method: "POST",
            decision: .refused(reason: "its policy allows only GET, HEAD")),
        Row(policy: #"{"methods": []}"#, method: "GET", decision: .refused(reason: "its policy allows no method")),
        Row(policy: #"{"confirm": ["DELETE"]}"#, method: "DELETE", decision: .needsConfirmation),
        Row(policy: #"{"confirm": ["DELETE"]}"#, method: "GET", decision: .allowed),
        Row(policy: #"{"methods": ["DELETE"], "confirm": ["DELETE"]}"#, method: "DELETE", decision: .needsConfirmation),
        Row(
            policy: #"{"methods": ["GET"], "confirm": ["DELETE"]}"#, method: "DELETE",
            decision: .refused(reason: "its policy allows only GET")),
        // Methods are spelt exactly: another spelling is another method, which the list doesn't have.
        Row(
            policy: #"{"methods": ["PURGE"]}"#, method: "purge",
            decision: .refused(reason: "its policy allows only PURGE")),
    ]

    @Test("says of a method whether it may be sent", arguments: rows)
    func decision(_ row: Row) throws {
        let assembled = try Scenario(
            #"{"method": "\#(row.method)"}"#, environment: #"{"baseURL": "http://h", "policy": \#(row.policy)}"#
        ).assembled()
        #expect(assembled.policy == row.decision)
    }

    @Test("holds for the method that is sent in the end, and for GET where nobody names one")
    func finalMethod() throws {
        let environment = #"{"baseURL": "http://h", "policy": {"methods": ["GET"]}}"#
        #expect(try Scenario("{}", environment: environment).assembled().policy == .allowed)
        let overlaid = Scenario(#"{"method": "GET"}"#, environment: environment, overlay: #"{"method": "PUT"}"#)
        #expect(try overlaid.assembled().policy == .refused(reason: "its policy allows only GET"))
    }

    @Test("belongs to the environment alone: an endpoint or a group that names one is broken")
    func endpointHasNone() {
        #expect(Scenario(#"{"policy": null}"#).loadProblems().map(\.code.rawValue) == ["key.unknown"])
        #expect(Scenario("{}", defaults: #"{"policy": {}}"#).loadProblems().map(\.code.rawValue) == ["key.unknown"])
        #expect(Scenario("{}", overlay: #"{"policy": {}}"#).loadProblems().map(\.code.rawValue) == ["key.unknown"])
    }

    @Test("of a base holds on: what extends it has to say so to loosen it")
    func inherited() throws {
        let base = #"{"baseURL": "http://h", "policy": {"methods": ["GET"], "confirm": ["GET"]}}"#
        let cases: [(String, PolicyDecision)] = [
            (#"{"extends": "base"}"#, .needsConfirmation),
            (#"{"extends": "base", "policy": {"methods": ["POST"]}}"#, .refused(reason: "its policy allows only POST")),
            (#"{"extends": "base", "policy": {"confirm": []}}"#, .allowed),
            (#"{"extends": "base", "policy": null}"#, .allowed),
        ]
        for (environment, decision) in cases {
            let scenario = Scenario("{}", environment: environment, bases: ["base": base])
            #expect(try scenario.assembled().policy == decision, "\(environment)")
        }
    }
}

import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// What is broken is told once, and what follows from it is not.
@Suite struct CascadeTests {
    static let cases: [Mistake] = [
        Mistake(
            "a variable and a secret of an environment that is not JSON",
            [
                "endpoints/a.json": #"{"path": "{{tenant}}", "auth": {"bearer": "{{secret.t}}"}}"#,
                "environments/e.json": #"{"variables": {"x": ⟦yes⟧}}"#,
            ],
            .error(.jsonSyntax, #""yes" is not a JSON value"#, hint: "did you mean true?")),
        .environment(
            "a secret that is described wrongly",
            #"{"secrets": {"t": {⟦"envi"⟧: "T", "file": "x"}, "u": ⟦5⟧}, "auth": {"bearer": "{{secret.t}}{{secret.u}}"}}"#,
            .error(.keyUnknown, #"unknown key "envi" in a secret"#, hint: #"did you mean "env"?"#),
            .error(
                .typeMismatch, #""u" takes an object with the source of the secret; found a number"#,
                hint: #"write { "env": "NAME" }: secrets don't belong in files"#)),
        Mistake(
            "an endpoint in a file that is not JSON",
            [
                "endpoints/auth.json": #"{"endpoints": {"login": ⟦yes⟧}}"#,
                "endpoints/a.json": #"{"needs": {"me": "auth.login"}, "path": "{{me.token}}"}"#,
                "environments/e.json": #"{"stubs": {"auth.login": "standard"}}"#,
            ],
            .error(.jsonSyntax, #""yes" is not a JSON value"#, hint: "did you mean true?")),
        Mistake(
            "an environment that can't be read is still there",
            ["endpoints/a.json": #"{"environments": {"e": {}}}"#, "environments/e.json": "⟦⟧"],
            .error(.jsonSyntax, "the file is empty; expected a JSON value")),
        .endpoint(
            "what a file that is not JSON lacks", #"{"params": {"a": {"type"⟦⟧ "string"}}}"#,
            .error(.jsonSyntax, "a colon is missing before this value", hint: "write \":\" here")),
    ]

    @Test("one mistake is one message", arguments: cases)
    func isToldOnce(_ mistake: Mistake) {
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    @Test("a header of the group that an endpoint says otherwise need not resolve there")
    func shadowedDefaults() {
        let workspace = Workspace.inMemory([
            (
                "endpoints/a.json",
                """
                {"defaults": {"headers": {"X-User": "{{user}}"}, "query": {"u": "{{user}}"}, "auth": {"bearer": "{{user}}"},
                   "needs": {"me": {"endpoint": "a.login", "with": {"n": "{{user}}"}}}, "expect": {"body": "{{user}}"}},
                 "endpoints": {
                   "login": {"headers": {"x-user": null}, "query": {"u": null}, "auth": null, "needs": {"me": null},
                     "expect": null, "path": "{{n}}", "params": {"n": {"type": "string", "required": false}}},
                   "get": {"params": {"user": {"type": "string"}}}}}
                """
            )
        ])
        #expect(lines(workspace.validate().diagnostics) == [])
    }
}

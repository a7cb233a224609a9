import TestSupport
import Testing

/// An environment without a server that another one extends is no place to send requests to.
struct BaseEnvironmentTests {
    private static let files = [
        "reqcli.json": #"{"environment": "staging"}"#, "endpoints/a.json": #"{"path": "/a"}"#,
        "environments/base.json": #"{"headers": {"X-A": "1"}}"#,
        "environments/staging.json": #"{"extends": "base", "baseURL": "https://s.example"}"#,
        "environments/other.json": #"{"variables": {"a": "1"}}"#,
    ]

    @Test("exports and generated code leave it out; an environment without a server that no other one extends stays")
    func leftOut() async {
        let files = MemoryFiles(Self.files)
        let export = await reqcli("export", "postman", "-o", "out/", files: files)
        #expect(export.status == 0, "\(export)")
        let names = files.texts.keys.filter { $0.contains("postman_environment") }.map {
            $0.split(separator: "/").last ?? ""
        }
        #expect(names.sorted() == ["other.postman_environment.json", "staging.postman_environment.json"])
        let generated = await reqcli("generate", "swift", "-o", "code", "--module", "M", files: files)
        let code = files.texts.first { $0.key.hasSuffix("M/Environments.swift") }?.value ?? ""
        #expect(generated.status == 0 && code.contains("staging") && !code.contains("base("), "\(generated) \(code)")
    }
}

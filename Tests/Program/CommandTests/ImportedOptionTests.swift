import TestSupport
import Testing

@testable import Importing

@Suite("Options of imported curl commands")
struct ImportedOptionTests {
    private static let values = [
        "max-time": "5", "connect-timeout": "5", "retry": "2", "retry-delay": "1", "retry-max-time": "9",
        "max-redirs": "5", "tls-max": "1.3", "range": "0-9", "proxy": "http://proxy.example:3128", "user": "u:p",
        "continue-at": "5", "form": "a=b", "form-string": "a=b", "header": "A: b", "url": "http://h/y",
        "expect100-timeout": "1", "aws-sigv4": "aws:amz:r:s", "url-query": "a=b", "upload-file": "f",
    ]

    @Test("An option of curl never becomes a file that is invalid", arguments: CurlOption.all.map(\.name))
    func valid(_ name: String) async throws {
        let option = try #require(CurlOption.byName[name])
        if case .refused = option.effect { return }
        let words = ["--" + name] + (option.isValue ? [Self.values[name] ?? "v"] : []) + ["http://h/x"]
        let files = MemoryFiles(["reqcli.json": "{}", "f": "content"])
        let run = await reqcli(["import", "curl", "--", "curl"] + words, files: files)
        #expect(!run.messages.contains("would have these errors"), "\(words): \(run)")
    }

    @Test(
        "A note says what others can read, and what a request reads from the user's machine",
        arguments: [
            (["-k", "http://h/x"], "a request doesn't check the certificate of the server (/x)"),
            (["-x", "http://p.example:1", "http://h/x"], "a request goes through a proxy"),
            (["--data-binary", "@.env", "http://h/x"], "a request sends a file that may contain secrets"),
            (["-F", "f=@keys/id_rsa", "http://h/x"], "a request sends a file that may contain secrets"),
        ])
    func notes(_ words: [String], _ note: String) async {
        let files = MemoryFiles(["reqcli.json": "{}", ".env": "A=b", "keys/id_rsa": "k", "f": "content"])
        let run = await reqcli(["import", "curl", "--", "curl"] + words, files: files)
        #expect(run.status == 0 && run.messages.contains(note), "\(run)")
        let plain = await reqcli(["import", "curl", "--", "curl", "-T", "f", "http://h/y"], files: files)
        #expect(plain.status == 0 && !plain.messages.contains("a request"), "\(plain)")
    }

    @Test("A note names the environment variables that a source sends")
    func processVariables() async {
        let files = MemoryFiles(["reqcli.json": "{}", "s.http": "GET http://h/x\nX-Other: {{$processEnv HOME}}\n"])
        let run = await reqcli("import", "http", "s.http", files: files)
        #expect(run.messages.contains("a request sends the value of an environment variable (HOME)"), "\(run)")
    }
}

extension CurlOption {
    fileprivate var isValue: Bool { if case .value = argument { true } else { false } }
}

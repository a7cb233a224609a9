import TestSupport
import Testing
import ToolSupport

/// Flags that change a request in `send` change it in `render` and `explain` too.
struct RenderedFlagTests {
    @Test(
        "render and explain accept the send flags that change a request",
        arguments: [
            (["--follow"], "-L --max-redirs 10", "redirects.follow"), (["--insecure"], "-k", "tls.insecure"),
            (["--ca", "f"], "--cacert f", "tls.ca"), (["--cert", "f", "--key", "f"], "--cert f --key f", "tls.cert"),
            (["--max-redirects", "3", "--follow"], "-L --max-redirs 3", "redirects.max"),
            (["--retry", "2"], "", "retry.times"), (["--http1.0"], "--http1.0", "httpVersion"),
            (["--http1.1"], "--http1.1", "httpVersion"), (["--http2"], "--http2-prior-knowledge", "httpVersion"),
            (["--proxy", "p:1"], "-x p:1", "proxy"),
            (["--noproxy", "a"], "--noproxy a", "noProxy"),
            (["--proxytunnel"], "--proxytunnel", "proxytunnel"), (["--proxy-digest"], "--proxy-digest", "proxy-digest"),
        ])
    func flags(flags: [String], options: String, part: String) async throws {
        let folder = try TemporaryFolder.workspace(adding: ["f": ""])
        let call = ["user.get"] + flags
        let rendered = try await Tool.run(["render", "--one-line"] + call, in: folder.path)
        #expect(rendered.status == 0, "\(rendered)")
        #expect(rendered.outputText.contains(options), "\(rendered)")
        let explained = try await Tool.run(["explain"] + call, in: folder.path)
        let line = explained.outputText.split(separator: "\n").first { $0.hasPrefix(part + " ") }
        #expect(line?.hasSuffix(" \(flags.prefix(2).joined(separator: " "))") == true, "\(explained)")
    }

    @Test("render prints a note about retries, because the curl command does not retry")
    func retries() async throws {
        let folder = try TemporaryFolder.workspace()
        let run = try await Tool.run("render", "user.get", "--retry", "2", in: folder.path)
        #expect(run.errors == "note: \"reqcli send\" retries up to 2 times; this command doesn't\n")
    }
}

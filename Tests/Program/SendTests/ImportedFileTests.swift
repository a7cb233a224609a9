import Testing
import ToolSupport

/// Files that a source names are found where the source means them.
@Suite struct ImportedFileTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Files by their paths; the workspace is `api`.
        let files: [String: String]
        /// A shell command that imports, in `api/sub`.
        let command: String
        /// The written paths, in the order of the endpoints' files.
        let paths: [String]
    }

    private static let hurl = """
        POST http://127.0.0.1/orders
        file,data.json;

        POST http://127.0.0.1/photos
        [Multipart]
        photo: file,../photo.png;
        """

    private static let cases = [
        Case(
            testDescription: "curl, from standard input: the current folder",
            files: ["api/sub/data.json": "{}"],
            command: "echo 'curl http://127.0.0.1/orders --data-binary @data.json' | reqcli import",
            paths: ["sub/data.json"]),
        Case(
            testDescription: "curl, behind --: the current folder", files: ["api/photo.png": ""],
            command: "reqcli import curl -- curl http://127.0.0.1/orders -F photo=@../photo.png",
            paths: ["photo.png"]),
        Case(
            testDescription: "curl, in a file: its folder",
            files: [
                "copied/a.sh": "curl http://127.0.0.1/orders -F a=@x/1 -F a=@x/2 --cacert ca.pem", "copied/x/1": "",
                "copied/x/2": "", "copied/ca.pem": "",
            ],
            command: "reqcli import ../../copied/a.sh",
            paths: ["../copied/x/1", "../copied/x/2", "../copied/ca.pem"]),
        Case(
            testDescription: "Hurl: the folder of the file",
            files: ["api/tests/a.hurl": hurl, "api/tests/data.json": "{}", "api/photo.png": ""],
            command: "reqcli import ../tests/a.hurl", paths: ["tests/data.json", "photo.png"]),
        Case(
            testDescription: "Hurl, a folder: that of each file",
            files: ["api/tests/a/a.hurl": hurl, "api/tests/a/data.json": "{}", "api/tests/photo.png": ""],
            command: "reqcli import hurl ../tests", paths: ["tests/a/data.json", "tests/photo.png"]),
        Case(
            testDescription: ".http: the folder of the file",
            files: [
                "api/http/a.http": "POST http://127.0.0.1/orders\n\n< ./data.json\n", "api/http/data.json": "{}",
            ], command: "reqcli import ../http/a.http", paths: ["http/data.json"]),
        Case(
            testDescription: "Bruno: the folder of the collection",
            files: [
                "shop/bruno.json": #"{ "name": "Orders" }"#,
                "shop/more/a.bru": """
                meta {
                  name: list
                }
                post {
                  url: http://127.0.0.1/orders
                  body: file
                }
                body:file {
                  file: @file(data/1.json) @contentType(application/json)
                }
                """, "shop/data/1.json": "{}",
            ], command: "reqcli import ../../shop", paths: ["../shop/data/1.json"]),
        Case(
            testDescription: "Absolute paths, the home folder and variables stay",
            files: ["x": ""],
            command: "reqcli import curl -- curl http://127.0.0.1/orders -F a=@/dev/../etc/passwd -F 'b=@~/x'",
            paths: ["/dev/../etc/passwd", "~/x"]),
    ]

    @Test("A path is that of the file which the source means, as seen from the workspace's root", arguments: cases)
    func paths(_ test: Case) async throws {
        let workspace = try ToolWorkspace(
            test.files.merging(["api/endpoints/.keep": "", "api/sub/.keep": ""]) { file, _ in file })
        let script = """
            cd api/sub; reqcli() { '\(Tool.path)' "$@"; }; \(test.command) >&2 || exit
            cd ..; grep -rhoE '"(file|ca)": "[^"]*"' endpoints environments | sort
            """
        let run = try await Tool.start(["-c", script], program: "/bin/bash", in: workspace).end()
        #expect(!run.errors.contains("there is no file"), "\(run.errors)")
        #expect(run.errors.contains("made"), "\(run.errors)")
        let written = run.outputText.split(separator: "\n").compactMap {
            $0.split(separator: "\"").last.map(String.init)
        }
        #expect(Set(written) == Set(test.paths))
    }
}

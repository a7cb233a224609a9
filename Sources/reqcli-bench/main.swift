// Measures what promises are made about, in a release build: `make bench`.
//
//     reqcli-bench                          all of it, on input that it makes itself
//     reqcli-bench json [FILE [JSONPATH]]   what sees every byte of a response
//     reqcli-bench workspace                commands over many endpoints
import Glibc

let words = CommandLine.arguments.dropFirst()
var bench = Bench()
switch words.first {
case nil:
    bench.json(GeneratedDocument.bytes(megabytes: 100), select: "$.items[*].id")
    bench.workspaces()
case "json" where words.count <= 3:
    let given = words.dropFirst().first.map { path in
        guard let bytes = Bench.contents(of: path) else { exit(complaining: "\(path) can't be read") }
        return bytes
    }
    bench.json(given ?? GeneratedDocument.bytes(megabytes: 100), select: words.dropFirst(2).first)
case "workspace" where words.count == 1:
    bench.workspaces()
default: exit(complaining: "usage: reqcli-bench [json [FILE [JSONPATH]] | workspace]")
}
exit(bench.isAllKept ? 0 : 1)

func exit(complaining text: String) -> Never {
    _ = Array("\(text)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
}

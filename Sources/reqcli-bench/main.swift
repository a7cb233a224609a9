// Measures what promises are made about, in a release build: `make bench`.
//
//     reqcli-bench PROGRAM                  all of it, on input that it makes itself
//     reqcli-bench json [FILE [JSONPATH]]   what sees every byte of a response
import Glibc

let words = CommandLine.arguments.dropFirst()
var bench = Bench()
switch words.first {
case "json" where words.count <= 3:
    let given = words.dropFirst().first.map { path in
        guard let bytes = Bench.contents(of: path) else { exit(complaining: "\(path) can't be read") }
        return bytes
    }
    bench.json(given ?? GeneratedDocument.bytes(megabytes: 100), select: words.dropFirst(2).first)
case let program? where words.count == 1:
    guard let program = realpath(program, nil) else { exit(complaining: "there is no program \(program)") }
    bench.json(GeneratedDocument.bytes(megabytes: 100), select: "$.items[*].id")
    bench.workspaces(of: String(cString: program))
default: exit(complaining: "usage: reqcli-bench PROGRAM, or reqcli-bench json [FILE [JSONPATH]]")
}
exit(bench.isAllKept ? 0 : 1)

func exit(complaining text: String) -> Never {
    _ = Array("\(text)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
}

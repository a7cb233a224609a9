// Measures what sees every byte of a response: `reqcli-bench FILE [JSONPATH]`, in a release build.
import Glibc
import JSONPath
import JSONPrinting
import SourceText

guard CommandLine.arguments.count > 1, let bytes = contents(of: CommandLine.arguments[1]) else {
    print("usage: reqcli-bench FILE [JSONPATH]")
    exit(2)
}

measure("skim") {
    bytes.withUnsafeBufferPointer { buffer in
        var reader = JSONReader(buffer)
        var events = 0
        while reader.next() != nil { events += 1 }
        return "\(events) events, \(reader.problems.count) problems"
    }
}

var document: JSONDocument?
measure("read") {
    let read = JSONDocument.read(SourceFile(name: CommandLine.arguments[1], bytes: bytes))
    document = read
    return "\(read.root?.count ?? 0) at the top"
}

for (name, layout, colours) in [
    ("indent", JSONPrinter.Layout.indented, JSONColours.none), ("colour", .indented, .standard),
    ("compact", .compact, .none),
] {
    measure(name) {
        var printer = JSONPrinter(layout: layout, colours: colours)
        var printed = 0
        bytes.withUnsafeBytes { text in
            for start in stride(from: 0, to: text.count, by: 1 << 16) {
                let chunk = text[start..<min(start + 1 << 16, text.count)]
                printer.print(UnsafeRawBufferPointer(rebasing: chunk)) { printed += $0.count }
            }
        }
        let outcome = printer.finish { printed += $0.count }
        return "\(printed) bytes, \(outcome)"
    }
}

if CommandLine.arguments.count > 2, let root = document?.root {
    measure("select") {
        do {
            return "\(try JSONPath(CommandLine.arguments[2]).nodes(in: root).count) nodes"
        } catch {
            return "\(error)"
        }
    }
}

func measure(_ name: String, _ work: () -> String) {
    var result = ""
    let time = ContinuousClock().measure { result = work() }
    let rate = Int(Double(bytes.count) / 1e6 / (time / .seconds(1)))
    print("\(name): \(time / .milliseconds(1)) ms, \(rate) MB/s (\(result))")
}

func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: max(size, 0)) { $1 = fread($0.baseAddress, 1, $0.count, file) }
}

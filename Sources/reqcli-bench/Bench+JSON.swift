import JSONPath
import JSONPrinting
import SourceText

extension Bench {
    /// What sees every byte of a response.
    mutating func json(_ bytes: [UInt8], select path: String?) {
        heading("JSON, \(bytes.count / 1_000_000) MB")
        let skimming = rate("skim", of: bytes.count) {
            bytes.withUnsafeBufferPointer { buffer in
                var reader = JSONReader(buffer)
                var events = 0
                while reader.next() != nil { events += 1 }
                return "\(events) events, \(reader.problems.count) problems"
            }
        }
        var document: JSONDocument?
        _ = rate("read into a tree", of: bytes.count) {
            let read = JSONDocument.read(SourceFile(name: "response", bytes: bytes))
            document = read
            return "\(read.root?.count ?? 0) at the top"
        }
        for (name, layout, colours) in [
            ("indent", JSONPrinter.Layout.indented, JSONColours.none), ("indent in colour", .indented, .standard),
            ("compact", .compact, .none),
        ] {
            _ = rate(name, of: bytes.count) { Self.printed(bytes, layout, colours) }
        }
        if let path, let root = document?.root {
            _ = rate("select \(path)", of: bytes.count) {
                do {
                    return "\(try JSONPath(path).nodes(in: root).count) nodes"
                } catch {
                    return "\(error)"
                }
            }
        }
        promise("200 MB/s for skimming", skimming >= 200)
    }

    private static func printed(_ bytes: [UInt8], _ layout: JSONPrinter.Layout, _ colours: JSONColours) -> String {
        var printer = JSONPrinter(layout: layout, colours: colours)
        var count = 0
        bytes.withUnsafeBytes { text in
            for start in stride(from: 0, to: text.count, by: 1 << 16) {
                let chunk = text[start..<min(start + 1 << 16, text.count)]
                printer.print(UnsafeRawBufferPointer(rebasing: chunk)) { count += $0.count }
            }
        }
        let outcome = printer.finish { count += $0.count }
        return "\(count) bytes, \(outcome)"
    }
}

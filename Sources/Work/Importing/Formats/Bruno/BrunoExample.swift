import ReqcliBasics
import ReqcliText

/// A response that is saved with a request in Bruno.
struct BrunoExample {
    var name = ""
    var status: Int?
    var headers: [BruPair] = []
    var text = ""
    var place: Place

    init(at place: Place) { self.place = place }

    /// Reads the lines of an `example` block.
    init(_ block: BruBlock) {
        place = block.place
        let outer = BruSection(block.lines)
        name = outer.value("name") ?? ""
        guard let response = outer.sections.first(where: { $0.name == "response" }).map({ BruSection($0.lines) }) else {
            return
        }
        status = response.value("status").flatMap { Int($0) }
        for (name, lines) in response.sections {
            let section = BruSection(lines)
            switch name {
            case "headers": headers = section.pairs
            case "status": status = section.value("code").flatMap { Int($0) } ?? status
            case "body":
                text = section.value("content") ?? lines.map(\.text).joined(separator: "\n")
            default: break
            }
        }
    }
}

/// Lines of a .bru file that contain sections. A section begins with a line such as `headers: {` and ends at a `}` with the same
/// indentation.
private struct BruSection {
    let pairs: [BruPair]
    private(set) var sections: [(name: String, lines: [SourceLine])] = []

    init(_ lines: [SourceLine]) {
        var plain: [SourceLine] = []
        var rest = lines[...]
        while let line = rest.popFirst() {
            let text = line.text
            guard text.hasSuffix("{"), !text.hasPrefix(" "), let colon = text.firstIndex(of: ":") else {
                plain.append(line)
                continue
            }
            let inner = rest.prefix { !$0.begins(with: "}") }
            rest = rest[inner.endIndex...].dropFirst()
            sections.append((String(text[..<colon]), inner.map { $0.begins(with: "  ") ? $0.dropping(2) : $0 }))
        }
        // The lines of a text are indented one level deeper than its name.
        pairs = BruFile.pairs(plain[...], textIndent: 2)
    }

    func value(_ name: String) -> String? { pairs.first { $0.name == name && $0.isEnabled }?.value }
}

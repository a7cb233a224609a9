/// A small text file of this program: a title, and one named value per line.
struct TitledRecord {
    private let lines: [Substring]

    init(title: String, _ values: [(name: String, value: String?)]) {
        let text = values.compactMap { name, value in value.map { "\(name): \($0)" } }
        lines = ([title] + text).map { Substring($0) }
    }

    /// Nil for a file with another title.
    init?(_ bytes: [UInt8], title: String) {
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first == title[...] else { return nil }
    }

    subscript(_ name: String) -> String? {
        lines.dropFirst().first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}

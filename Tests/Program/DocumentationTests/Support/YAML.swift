/// The part of YAML that the pipelines of the documentation are written in: mappings and sequences by indentation, plain and
/// double-quoted scalars, `[a, b]`, and `|` blocks. Anything else is an error, so what it reads any reader of YAML reads.
indirect enum YAML: Equatable {
    case scalar(String)
    case sequence([YAML])
    case mapping([String: YAML])

    struct Mistake: Error, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    init(_ text: String) throws {
        var reader = Reader(text)
        self = try reader.node(indentation: 0)
        try reader.expectEnd()
    }

    /// Every value of a key, at any depth.
    func values(of key: String) -> [YAML] {
        switch self {
        case .scalar: []
        case .sequence(let elements): elements.flatMap { $0.values(of: key) }
        case .mapping(let members):
            members.sorted { $0.key < $1.key }.flatMap { ($0.key == key ? [$0.value] : []) + $0.value.values(of: key) }
        }
    }

    /// The scalars in it.
    var texts: [String] {
        switch self {
        case .scalar(let text): [text]
        case .sequence(let elements): elements.flatMap(\.texts)
        case .mapping(let members): members.values.flatMap(\.texts)
        }
    }
}

extension YAML {
    private struct Reader {
        /// What counts of each line, without its indentation; blank lines and comments are not here.
        private var lines: [(number: Int, indentation: Int, text: Substring)] = []
        private let source: [Substring]
        private var next = 0

        init(_ text: String) {
            source = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in source.enumerated() {
                let content = line.drop { $0 == " " }
                if content.isEmpty || content.hasPrefix("#") { continue }
                lines.append((index + 1, line.count - content.count, content))
            }
        }

        func expectEnd() throws {
            if lines.indices.contains(next) { throw mistake("nothing is expected here") }
        }

        private func mistake(_ reason: String) -> Mistake {
            Mistake(line: lines.indices.contains(next) ? lines[next].number : source.count, reason: reason)
        }

        private var isAtEnd: Bool { next >= lines.count }

        mutating func node(indentation: Int) throws -> YAML {
            guard !isAtEnd, lines[next].indentation == indentation else { throw mistake("a value is missing") }
            return try lines[next].text.hasPrefix("- ") ? sequence(indentation) : mapping(indentation)
        }

        private mutating func sequence(_ indentation: Int) throws -> YAML {
            var elements: [YAML] = []
            while !isAtEnd, lines[next].indentation == indentation, lines[next].text.hasPrefix("- ") {
                let content = lines[next].text.dropFirst(2)
                if content == "|" {
                    elements.append(block(deeperThan: indentation))
                } else if Self.key(of: content) != nil {
                    // A mapping that begins behind the dash goes on below its first key.
                    lines[next] = (lines[next].number, indentation + 2, content)
                    elements.append(try mapping(indentation + 2))
                } else {
                    elements.append(try scalar(content))
                    next += 1
                }
            }
            return .sequence(elements)
        }

        private mutating func mapping(_ indentation: Int) throws -> YAML {
            var members: [String: YAML] = [:]
            while !isAtEnd, lines[next].indentation == indentation {
                guard let (key, rest) = Self.key(of: lines[next].text) else { throw mistake("expected a key") }
                guard members[key] == nil else { throw mistake("\"\(key)\" is there twice") }
                if rest == "|" {
                    members[key] = block(deeperThan: indentation)
                } else if rest.isEmpty {
                    next += 1
                    let isDeeper = !isAtEnd && lines[next].indentation > indentation
                    members[key] = isDeeper ? try node(indentation: lines[next].indentation) : .scalar("")
                } else {
                    members[key] = try scalar(rest)
                    next += 1
                }
            }
            if !isAtEnd, lines[next].indentation > indentation { throw mistake("this is indented too far") }
            return .mapping(members)
        }

        /// A key and what stands behind it; nil for text that is no member.
        private static func key(of text: Substring) -> (String, Substring)? {
            guard let match = text.wholeMatch(of: /([A-Za-z0-9_-]+):(?: (.*))?/) else { return nil }
            return (String(match.1), match.2 ?? "")
        }

        private mutating func block(deeperThan indentation: Int) -> YAML {
            next += 1
            var text = ""
            while !isAtEnd, lines[next].indentation > indentation {
                text += lines[next].text + "\n"
                next += 1
            }
            return .scalar(text)
        }

        private func scalar(_ text: Substring) throws -> YAML {
            if let inside = text.wholeMatch(of: /\[([^\[\]{}]*)\]/)?.1 {
                return .sequence(
                    try inside.split(separator: ",").map { try scalar($0.drop { $0 == " " }) })
            }
            if let inside = text.wholeMatch(of: /"([^"\\]*)"/)?.1 { return .scalar(String(inside)) }
            let isPlain =
                text.first.map { !"[]{}&*!|>'\"%@`,#?:-".contains($0) } ?? false && !text.contains(": ")
                && !text.contains(" #") && !text.hasSuffix(":")
            guard isPlain else { throw mistake("this is more than the reader knows: \(text)") }
            return .scalar(String(text))
        }
    }
}

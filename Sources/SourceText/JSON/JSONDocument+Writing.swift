import ASCII

extension JSONDocument {
    /// Makes a document from a value. The result is the same as reading the value's compact text.
    package static func writing(_ value: OrderedJSON, name: String) -> JSONDocument {
        var writer = TapeWriter()
        writer.write(value)
        return JSONDocument(file: SourceFile(name: name, bytes: writer.bytes), tape: writer.tape, problems: [])
    }
}

/// Writes the text of a value and its tape together, which takes a third of the time of writing and then reading it.
private struct TapeWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var tape = JSONTape()

    mutating func write(_ value: OrderedJSON) {
        switch value {
        case .null: scalar(.null, "null")
        case .bool(true): scalar(.true, "true")
        case .bool(false): scalar(.false, "false")
        case .number(let text): scalar(.number, text)
        case .string(let text): string(text, isKey: false)
        case .array(let elements):
            container(.array, elements, .openBracket, .closeBracket) { writer, element in writer.write(element) }
        case .object(let members):
            container(.object, members, .openBrace, .closeBrace) { writer, member in
                writer.string(member.name, isKey: true)
                writer.bytes.append(.colon)
                writer.write(member.value)
            }
        }
    }

    private mutating func scalar(_ kind: JSONValue.Kind, _ text: String) {
        let start = bytes.count
        bytes += text.utf8
        tape.append(kind, start..<bytes.count, isKey: false, hasEscapes: false)
    }

    private mutating func string(_ text: String, isKey: Bool) {
        let start = bytes.count
        let escaped = JSONStringText.escaped(text)
        // Most values are a single string. For others the array grows by itself.
        if start == 0 { bytes.reserveCapacity(escaped.utf8.count + 2) }
        bytes.append(.quote)
        bytes += escaped.utf8
        bytes.append(.quote)
        // Each escape is at least one byte longer than the character it stands for.
        tape.append(
            .string, start..<bytes.count, isKey: isKey, hasEscapes: escaped.utf8.count > text.utf8.count)
    }

    private mutating func container<Item>(
        _ kind: JSONValue.Kind, _ items: [Item], _ opening: UInt8, _ closing: UInt8,
        _ write: (inout TapeWriter, Item) -> Void
    ) {
        let index = tape.open(kind, at: bytes.count)
        bytes.append(opening)
        for (position, item) in items.enumerated() {
            if position > 0 { bytes.append(.comma) }
            tape.countItem(of: index)
            write(&self, item)
        }
        bytes.append(closing)
        tape.close(index, at: bytes.count)
    }
}

import ReqcliBasics

/// The types of scalars in YAML's core schema.
extension YAMLReader {
    /// Returns the kind of a scalar. If the value differs from the source, for example because of escapes, also returns the range of
    /// the decoded value.
    mutating func resolved(_ node: YAMLNode, _ properties: YAMLProperties) -> (JSONValue.Kind, Range<Int>?) {
        guard let tag = properties.tag else {
            switch node.style {
            case .empty: return (.null, nil)
            case .plain: return plainType(node)
            default: return (.string, node.decoded)
            }
        }
        switch tag.name {
        case .str, .unspecific: return (.string, node.decoded)
        case .unknown: return (.invalid, nil)
        default: break
        }
        let (kind, decoded) = typed(content(of: node), at: node.range)
        let isFitting =
            switch tag.name {
            case .null: kind == .null
            case .bool: kind == .true || kind == .false
            case .int: kind == .number && isWhole(content(of: node))
            case .float: kind == .number
            default: false
            }
        if isFitting { return (kind, decoded ?? (node.style == .plain ? nil : copied(node))) }
        report(
            "\(tag.description) can't be \"\(shown(node.range))\"", tag.range,
            hint: tag.name == .map || tag.name == .seq ? "remove the tag" : "remove the tag, or correct the value")
        return (.invalid, nil)
    }

    private mutating func plainType(_ node: YAMLNode) -> (JSONValue.Kind, Range<Int>?) {
        // A scalar on several lines contains a space or a line break, so it is a string.
        if node.decoded != nil { return (.string, node.decoded) }
        switch bytes[node.range.lowerBound] {
        case .zero ... .nine, .minus, .plus, .point, UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"),
            UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
            return typed(bytes[node.range], at: node.range)
        default: return (.string, nil)
        }
    }

    /// The value of a scalar as bytes, without quotes.
    private func content(of node: YAMLNode) -> Slice<UnsafeBufferPointer<UInt8>> {
        let inner = node.style == .quoted ? node.range.lowerBound + 1..<node.range.upperBound - 1 : node.range
        return bytes[inner]
    }

    /// Copies the value of a quoted scalar to the decoded bytes and returns its range.
    private mutating func copied(_ node: YAMLNode) -> Range<Int> {
        let start = tree.decodedEnd
        tree.decode(content(of: node))
        return start..<tree.decodedEnd
    }

    private func isWhole(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        text.starts(with: "0x".utf8) || text.starts(with: "0o".utf8)
            || text.allSatisfy { $0.isDigit || $0 == .minus || $0 == .plus }
    }

    /// The kind of a scalar that has no quotes and no tag.
    private mutating func typed(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, at range: Range<Int>
    ) -> (JSONValue.Kind, Range<Int>?) {
        switch text.count {
        case 0: return (.null, nil)
        case 1...5: if let kind = Self.word(String(decoding: text, as: UTF8.self)) { return (kind, nil) }
        default: break
        }
        if let base: UInt8 = text.starts(with: "0x".utf8) ? 16 : text.starts(with: "0o".utf8) ? 8 : nil {
            return based(text.dropFirst(2), base, at: range)
        }
        guard let number = YAMLNumber(text) else { return (.string, nil) }
        if number.isSpecial {
            report(
                "JSON has no number \(shown(range))", range, hint: "put it in quotes if it is text",
                code: .yamlUnsupported)
            return (.invalid, nil)
        }
        if number.isJSON { return (.number, nil) }
        let start = tree.decodedEnd
        tree.decode(number.json)
        return (.number, start..<tree.decodedEnd)
    }

    private static func word(_ text: String) -> JSONValue.Kind? {
        switch text {
        case "null", "Null", "NULL", "~": .null
        case "true", "True", "TRUE": .true
        case "false", "False", "FALSE": .false
        default: nil
        }
    }

    /// A number in hexadecimal or octal digits.
    private mutating func based(
        _ digits: Slice<UnsafeBufferPointer<UInt8>>, _ base: UInt8, at range: Range<Int>
    ) -> (JSONValue.Kind, Range<Int>?) {
        guard !digits.isEmpty, digits.allSatisfy({ $0.hexValue.map { $0 < base } == true }) else {
            return (.string, nil)
        }
        // The length is limited, because the time of the conversion grows with the square of the length.
        guard digits.count <= 256 else {
            report(
                "a number in base \(base) has at most 256 digits", range, hint: "put it in quotes if it is text",
                code: .yamlUnsupported)
            return (.invalid, nil)
        }
        let start = tree.decodedEnd
        tree.decode(YAMLNumber.decimal(digits, base))
        return (.number, start..<tree.decodedEnd)
    }
}

/// A number as the core schema defines it: `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
struct YAMLNumber {
    private let text: Slice<UnsafeBufferPointer<UInt8>>
    private let whole: Range<Int>
    private let fraction: Range<Int>
    private let hasPoint: Bool
    /// Whether the number is `.inf` or `.nan`.
    let isSpecial: Bool

    init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        var position = text.startIndex
        func byte() -> UInt8 { position < text.endIndex ? text[position] : 0 }
        func digits() -> Range<Int> {
            let start = position
            while byte().isDigit { position += 1 }
            return start..<position
        }

        self.text = text
        let hasSign = byte() == .minus || byte() == .plus
        if hasSign { position += 1 }
        isSpecial =
            switch String(decoding: text[position...].prefix(5), as: UTF8.self) {
            case ".inf", ".Inf", ".INF": true
            case ".nan", ".NaN", ".NAN": !hasSign
            default: false
            }
        whole = digits()
        hasPoint = byte() == .point
        if hasPoint { position += 1 }
        fraction = hasPoint ? digits() : position..<position
        if isSpecial { return }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        if byte() | 0x20 == 0x65 {
            position += 1
            if byte() == .minus || byte() == .plus { position += 1 }
            guard !digits().isEmpty else { return nil }
        }
        guard position == text.endIndex else { return nil }
    }

    var isJSON: Bool {
        text[text.startIndex] != .plus && !whole.isEmpty && hasPoint == !fraction.isEmpty
            && (whole.count == 1 || text[whole.lowerBound] != .zero)
    }

    /// The number as JSON writes it.
    var json: [UInt8] {
        let digits = text[whole].drop { $0 == .zero }
        var json: [UInt8] = text[text.startIndex] == .minus ? [.minus] : []
        json += digits.isEmpty ? [.zero] : Array(digits)
        if hasPoint { json += [.point] + (fraction.isEmpty ? [.zero] : Array(text[fraction])) }
        return json + text[fraction.upperBound...]
    }

    /// The decimal digits of a number in another base.
    static func decimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>, _ base: UInt8) -> [UInt8] {
        // Each part has nine digits; the least significant part is first.
        var parts: [UInt64] = [0]
        for digit in digits {
            var carry = UInt64(digit.hexValue ?? 0)
            for index in parts.indices {
                let value = parts[index] * UInt64(base) + carry
                parts[index] = value % 1_000_000_000
                carry = value / 1_000_000_000
            }
            if carry > 0 { parts.append(carry) }
        }
        let text = parts.reversed().map { part in
            let digits = String(part)
            return String(repeating: "0", count: 9 - digits.utf8.count) + digits
        }
        let trimmed = text.joined().utf8.drop { $0 == .zero }
        return trimmed.isEmpty ? [.zero] : Array(trimmed)
    }
}

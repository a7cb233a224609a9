import ReqcliText

/// JSON as an expression of type `JSONLiteral`.
enum JSONCode {
    /// The expression on one line.
    static func inline(_ value: OrderedJSON) -> String {
        switch value {
        case .null: ".null"
        case .bool(let value): "\(value)"
        case .number(let text): number(text)
        case .string(let text): SwiftText.literal(text)
        case .array(let elements):
            elements.isEmpty ? ".array([])" : "[\(elements.map(inline).joined(separator: ", "))]"
        case .object(let members):
            members.isEmpty
                ? ".object([])"
                : "[\(members.map { "\(SwiftText.literal($0.name)): \(inline($0.value))" }.joined(separator: ", "))]"
        }
    }

    static func number(_ text: String) -> String {
        if let number = Int(text), String(number) == text { return number.swiftLiteral }
        return ".number(text: \(SwiftText.literal(text)))"
    }
}

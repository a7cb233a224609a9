import ReqcliText
@_spi(Generated) public import RequestBuilding

/// Functions in the placeholders of generated Swift.
extension RequestValues {
    /// The value that the functions of a placeholder make; nil if it is missing.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder as files write it, without its braces.
    ///   - inputs: The values of the names in it, in their order.
    ///   - name: The placeholder's file, and its path in this file, from which random values are made.
    @_spi(Generated) public func computed(
        _ placeholder: String, _ inputs: [JSONLiteral?] = [], at name: String = ""
    ) throws -> JSONLiteral? {
        let filled = try FilledPlaceholder(placeholder, inputs, seeded: seededBytes(placeholder: name))
        return try filled.value(at: time).json?.literal
    }
}

extension OrderedJSON {
    init(_ literal: JSONLiteral) {
        self =
            switch literal {
            case .null: .null
            case .bool(let value): .bool(value)
            case .number(let text): .number(text)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { OrderedJSON($0) })
            case .object(let members): .object(members.map { Member($0.name, OrderedJSON($0.value)) })
            }
    }

    package var literal: JSONLiteral {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text: text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.literal))
        case .object(let members): .object(members.map { .init($0.name, $0.value.literal) })
        }
    }
}

import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliJSONSchema
import ReqcliText

extension Condition {
    /// Checks a value. The result is nil if the value meets the condition.
    package func objection(to value: ActualValue) -> Finding? {
        let finding = finding(on: value)
        switch finding {
        case .holds: return isNegated ? finding : nil
        case .fails: return isNegated ? nil : finding
        case .unfit: return finding
        }
    }

    private func finding(on value: ActualValue) -> Finding {
        switch operand {
        case .open: .unfit("and the expected value is not known")
        case .value(let expected):
            switch operation {
            case .includes: Finding(Inclusion.holds(expected, in: value))
            case .contains: contains(expected, in: value)
            case .equals, .type, .schema, .matches, .startsWith, .endsWith, .length, .exists, .empty, .in, .less,
                .lessOrEqual, .greater, .greaterOrEqual:
                equals(expected, value)
            }
        case .list(let elements): Finding(elements.contains { equals($0, value) == .holds })
        case .type(let type): Finding(type.describes(value))
        case .schema(let schema): fits(schema, value)
        case .pattern(let pattern): matches(pattern, value)
        case .text(let text): affix(Array(text.utf8), value)
        case .lengths(let bounds): length(bounds, value)
        case .truth(let truth): existenceOrEmptiness(truth, value)
        case .number(let bound): comparison(bound, value)
        }
    }

    // MARK: Operators

    private func equals(_ expected: JSONValue, _ value: ActualValue) -> Finding {
        switch value {
        case .json(let json): return Finding(json.isEquivalent(to: expected))
        case .text(let bytes):
            guard expected.kind == .object || expected.kind == .array else {
                return Finding(expected.isWritten(as: bytes))
            }
            guard let root = JSONDocument.read(SourceFile(name: "body", bytes: bytes)).validRoot else {
                return .unfit("which is not JSON")
            }
            if root.descendants.contains(where: { $0.repeatedKey != nil }) {
                return .unfit("in which an object has a key more than once")
            }
            return Finding(root.isEquivalent(to: expected))
        }
    }

    private func fits(_ schema: JSONSchema, _ value: ActualValue) -> Finding {
        guard case .json(let json) = value else { return .unfit("which is not JSON") }
        return Finding(schema.accepts(json))
    }

    private func contains(_ expected: JSONValue, in value: ActualValue) -> Finding {
        if case .json(let json) = value, json.kind == .array {
            return Finding(json.elements.contains { $0.isEquivalent(to: expected) })
        }
        guard let text = value.textBytes else { return .unfit("which is neither text nor a list") }
        guard let wanted = expected.plainText else {
            return .unfit("and text can't contain \(expected.kindDescription)")
        }
        return Finding(text.hasInside(Array(wanted.utf8)))
    }

    /// The maximum number of steps for matching a pattern. A pattern of 100 states on a body of a few megabytes needs less.
    private static let patternSteps = 500_000_000

    private func matches(_ pattern: IRegexp, _ value: ActualValue) -> Finding {
        guard let text = value.textBytes else { return .unfit("which is not text") }
        var steps = Self.patternSteps
        let isFound = pattern.run(on: String(decoding: text, as: UTF8.self), isAnchored: false, steps: &steps)
        return isFound.map { Finding($0) } ?? .unfit("which takes too long to search for this pattern")
    }

    private func affix(_ wanted: [UInt8], _ value: ActualValue) -> Finding {
        guard let text = value.textBytes else { return .unfit("which is not text") }
        return Finding(
            operation == .startsWith ? text.starts(with: wanted) : text.suffix(wanted.count).elementsEqual(wanted))
    }

    private func length(_ bounds: [Operand.LengthBound], _ value: ActualValue) -> Finding {
        guard let length = value.length else { return .unfit("which has no length") }
        return Finding(bounds.allSatisfy { $0.operation.compares(length, $0.length) })
    }

    private func existenceOrEmptiness(_ truth: Bool, _ value: ActualValue) -> Finding {
        // The value was found, so `exists` is true for it.
        guard operation == .empty else { return Finding(truth) }
        return Finding((value.length == 0) == truth)
    }

    private func comparison(_ bound: JSONNumber, _ value: ActualValue) -> Finding {
        guard let number = value.number else { return .unfit("which is not a number") }
        return Finding(operation.compares(number, bound))
    }
}

extension Matcher.Operation {
    /// Compares two values; operators that are not comparisons test for equality.
    fileprivate func compares<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
        switch self {
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        case .equals, .includes, .type, .schema, .matches, .contains, .startsWith, .endsWith, .length, .exists, .empty,
            .in:
            one == other
        }
    }
}

extension ActualValue {
    /// The number of characters, elements or members. Characters are Unicode scalars, as for `length()` in JSONPath.
    package var length: Int? {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).unicodeScalars.count
        case .json(let value):
            switch value.kind {
            case .object, .array: value.count
            case .string: value.string?.unicodeScalars.count
            default: nil
            }
        }
    }
}

extension JSONTypeName {
    fileprivate func describes(_ value: ActualValue) -> Bool {
        guard case .json(let json) = value else { return self == .string }
        return switch self {
        case .object: json.kind == .object
        case .array: json.kind == .array
        case .string: json.kind == .string
        case .number: json.kind == .number
        case .integer: json.number?.isInteger == true
        case .boolean: json.bool != nil
        case .null: json.isNull
        }
    }
}

extension JSONValue {
    /// The value as text for text operators; nil if the value has no text form.
    package var plainText: String? {
        switch kind {
        case .string: string
        case .number, .true, .false, .null: text
        case .object, .array, .invalid: nil
        }
    }

    /// Whether a text that is not JSON, such as a header's value, equals this scalar. Numbers are compared by value, other
    /// scalars byte by byte.
    fileprivate func isWritten(as bytes: [UInt8]) -> Bool {
        if let number, let other = JSONNumber(String(decoding: bytes, as: UTF8.self)) { return number == other }
        return plainText.map { bytes.elementsEqual($0.utf8) } ?? false
    }
}

extension [UInt8] {
    fileprivate func hasInside(_ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first else { return true }
        return withUnsafeBufferPointer { text in
            var position = 0
            while position + wanted.count <= text.count {
                if text[position] == first, text[position..<position + wanted.count].elementsEqual(wanted) {
                    return true
                }
                position += 1
            }
            return false
        }
    }
}

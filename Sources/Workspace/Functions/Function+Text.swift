import ReqcliBasics
import ReqcliText

extension Function {
    static let texts: [Function] = [
        Function("upper", .scalar, .text, "Uppercase", "{{name | upper}}") { value, _ in
            .text(value.text.uppercased())
        }.inShell("LC_ALL=C tr a-z A-Z", isForASCII: true),
        Function("lower", .scalar, .text, "Lowercase", "{{term | lower}}") { value, _ in
            .text(value.text.lowercased())
        }.inShell("LC_ALL=C tr A-Z a-z", isForASCII: true),
        Function("trim", .scalar, .text, "Without whitespace at both ends", "{{line | trim}}") { value, _ in
            let scalars = value.text.unicodeScalars
            let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
            let start = scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex
            let end = scalars.lastIndex { !isBlank($0) }.map(scalars.index(after:)) ?? start
            return .text(String(scalars[start..<end]))
        },
        Function(
            "replace", with: [Parameter("A", .text), Parameter("B", .text)], .scalar, .text, "Each A is replaced by B",
            "{{name | replace ' ' '-'}}"
        ) { value, arguments throws(FunctionProblem) in
            let (old, new) = (Array(arguments[0].text.utf8), Array(arguments[1].text.utf8))
            if old.isEmpty { throw FunctionProblem("takes an A that is not empty") }
            let parts = try parts(of: Array(value.text.utf8), between: old)
            return try joined(parts, by: new)
        },
        Function(
            "slice", with: [Parameter("FROM", .number), Parameter("TO", .number, isOptional: true)], [.scalar, .list],
            .same,
            "The characters or elements from FROM up to, but not including, TO; negative numbers count from the end",
            "{{token | slice 0 8}}"
        ) { value, arguments throws(FunctionProblem) in
            func range(_ count: Int) throws(FunctionProblem) -> Range<Int> {
                let ends =
                    [try arguments[0].whole(-1_000_000_000...1_000_000_000)]
                    + (arguments.count > 1 ? [try arguments[1].whole(-1_000_000_000...1_000_000_000)] : [count])
                let inside = ends.map { min(max($0 < 0 ? count + $0 : $0, 0), count) }
                return inside[0]..<max(inside[0], inside[1])
            }
            if case .json(.array(let elements)) = value {
                return .json(.array(Array(elements[try range(elements.count)])))
            }
            let scalars = Array(value.text.unicodeScalars)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[try range(scalars.count)])
            return .text(String(text))
        },
        Function(
            "split", with: [Parameter("SEP", .text)], .scalar, .list, "The parts between each SEP",
            "{{ids | split ','}}"
        ) {
            value, arguments throws(FunctionProblem) in
            let separator = Array(arguments[0].text.utf8)
            if separator.isEmpty { throw FunctionProblem("takes a SEP that is not empty") }
            let parts = try parts(of: Array(value.text.utf8), between: separator)
            return .json(.array(parts.map { .string(String(decoding: $0, as: UTF8.self)) }))
        },
        Function(
            "join", with: [Parameter("SEP", .text)], .list, .text, "The elements with SEP between them",
            "{{ids | join ' '}}"
        ) { value, arguments throws(FunctionProblem) in
            try joined(value.list.map { Array($0.plainText.utf8)[...] }, by: Array(arguments[0].text.utf8))
        },
        Function(
            "pad", with: [Parameter("N", .number), Parameter("C", .text)], .scalar, .text,
            "At least N characters, with C in front; a negative N puts C at the end", "{{number | pad 6 '0'}}"
        ) { value, arguments throws(FunctionProblem) in
            let width = try arguments[0].whole(-10_000...10_000)
            let filler = arguments[1].text
            guard filler.unicodeScalars.count == 1 else { throw FunctionProblem("takes one character as C") }
            let missing = max(0, abs(width) - value.text.unicodeScalars.count)
            let padding = String(repeating: filler, count: missing)
            return .text(width < 0 ? value.text + padding : padding + value.text)
        },
        Function(
            "default", with: [Parameter("V", .anything)], [.json, .bytes, .time], [.same, .argument],
            "V in place of a missing value", "{{term | default 'all'}}"
        ) { value, _ in value },
        Function(
            "length", [.scalar, .list, .object, .bytes], .number,
            "The number of characters, elements, members or bytes",
            "{{ids | length}}"
        ) { value, _ in
            switch value {
            case .json(.array(let elements)): .number(String(elements.count))
            case .json(.object(let members)): .number(String(members.count))
            case .bytes(let bytes): .number(String(bytes.count))
            case .json, .time, .duration: .number(String(value.text.unicodeScalars.count))
            }
        },
    ]

    /// The maximum number of parts of a text. Each takes far more memory than its bytes.
    private static let mostParts = 2_000_000

    /// The parts of a text between each separator, as bytes: characters could hide a separator before an accent.
    static func parts(
        of bytes: [UInt8], between separator: [UInt8]
    ) throws(FunctionProblem) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        while index + separator.count <= bytes.count {
            if bytes[index] == separator[0], bytes[index...].starts(with: separator) {
                parts.append(bytes[start..<index])
                if parts.count > mostParts { throw FunctionProblem("takes at most \(mostParts) parts") }
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [bytes[start...]]
    }

    private static func joined(
        _ parts: [ArraySlice<UInt8>], by separator: [UInt8]
    ) throws(FunctionProblem) -> FunctionValue {
        // Checked before memory for the result is allocated.
        let size = parts.reduce(separator.count * (parts.count - 1)) { $0 + $1.count }
        if size > largest { throw FunctionProblem("gives more than \(largest >> 20) MiB") }
        return .text(String(decoding: Array(parts.joined(separator: separator)), as: UTF8.self))
    }
}

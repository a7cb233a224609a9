import ReqcliBasics
import ReqcliText

/// The changes of a JSON value, one each.
struct JSONMutants {
    struct Change {
        let kind: Mutant.Kind
        let subject: String
        let words: String
        let root: OrderedJSON
    }

    enum Step {
        case member(String)
        case element(Int)
    }

    let root: OrderedJSON
    /// The normalized paths of values that are not changed.
    let ignored: Set<String>
    private(set) var changes: [Change] = []

    init(root: OrderedJSON, ignored: Set<String>) { (self.root, self.ignored) = (root, ignored) }

    /// Adds the changes of a value and of everything in it. Of a long list, the first and the last element are changed.
    mutating func visit(_ value: OrderedJSON, at path: [Step]) {
        if ignored.contains(Self.normalized(path)) { return }
        func add(_ kind: Mutant.Kind, _ words: String, _ other: OrderedJSON?) {
            changes.append(
                Change(
                    kind: kind, subject: Self.subject(path), words: words,
                    root: Self.replacing(root, path[...], other) ?? .null))
        }
        if case .member? = path.last { add(.removed, "removed", nil) }
        if !path.isEmpty, value != .null { add(.null, "null", .null) }
        switch value {
        case .null: add(.type, "a string in place of null", .string("x"))
        case .bool(let flag):
            add(.number, "\(flag) → \(!flag)", .bool(!flag))
            add(.type, "a string", .string("\(flag)"))
        case .number(let text):
            for (words, other) in Self.numbers(near: text) { add(.number, words, .number(other)) }
            add(.type, "a string", .string(text))
        case .string(let text):
            if !text.isEmpty { add(.text, "emptied", .string("")) }
            add(.text, "changed", .string(text + "x"))
            add(.type, "a number", .number("7"))
        case .array(let elements):
            visitList(elements, at: path, add)
            for index in Set([0, elements.count - 1]).sorted() where elements.indices.contains(index) {
                visit(elements[index], at: path + [.element(index)])
            }
        case .object(let members):
            add(.added, "an unknown member added", .object(members + [OrderedJSON.Member("x-unknown", .bool(true))]))
            if !path.isEmpty { add(.type, "a list", .array([value])) }
            for member in members { visit(member.value, at: path + [.member(member.name)]) }
        }
    }

    private func visitList(
        _ elements: [OrderedJSON], at path: [Step], _ add: (Mutant.Kind, String, OrderedJSON?) -> Void
    ) {
        if !elements.isEmpty {
            add(.list, "emptied", .array([]))
            add(.list, "doubled", .array(elements + elements))
        }
        let reversed = Array(elements.reversed())
        if reversed != elements { add(.list, "reordered", .array(reversed)) }
        add(.type, "an object", .object([OrderedJSON.Member]()))
    }

    /// A number + 1, - 1 and × -1. Numbers that are too large to count with get another digit.
    private static func numbers(near text: String) -> [(String, String)] {
        guard let number = Double(text), abs(number) < 1e15 else { return [("× 10", text + "0")] }
        func written(_ value: Double) -> String {
            value == value.rounded() ? String(Int(value)) : "\(value)"
        }
        let signs = number == 0 ? [] : [("× -1", written(-number))]
        return [("+ 1", written(number + 1)), ("- 1", written(number - 1))] + signs
    }

    /// The value with another one at a place; without it if `other` is nil.
    private static func replacing(_ value: OrderedJSON, _ path: ArraySlice<Step>, _ other: OrderedJSON?) -> OrderedJSON?
    {
        guard let first = path.first else { return other }
        let rest = path.dropFirst()
        switch (first, value) {
        case (.member(let name), .object(let members)):
            return .object(
                members.compactMap { member in
                    guard member.name == name else { return member }
                    return replacing(member.value, rest, other).map { OrderedJSON.Member(name, $0) }
                })
        case (.element(let index), .array(let elements)):
            return .array(
                elements.enumerated().compactMap { $0 == index ? replacing($1, rest, other) : $1 })
        default: return value
        }
    }

    /// The path with `[*]` for each index.
    private static func subject(_ path: [Step]) -> String {
        path.reduce("$") { text, step in
            switch step {
            case .member(let name): text + (isPlain(name) ? ".\(name)" : "['\(escaped(name))']")
            case .element: text + "[*]"
            }
        }
    }

    private static func normalized(_ path: [Step]) -> String {
        path.reduce("$") { text, step in
            switch step {
            case .member(let name): text + "['\(escaped(name))']"
            case .element(let index): text + "[\(index)]"
            }
        }
    }

    private static func isPlain(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return !bytes.isEmpty && !bytes[0].isDigit && bytes.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}

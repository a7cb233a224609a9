import ReqcliText
import TestSupport

/// Makes files that are nearly right: JSON whose values were swapped, dropped, doubled, renamed or replaced.
struct StructuralMutator {
    var generator: SeededGenerator
    private let values: [OrderedJSON]
    private let keys: [String]

    /// - Parameter samples: Where values and keys to swap in are taken from.
    init(seed: UInt64, samples: [OrderedJSON]) {
        generator = SeededGenerator(seed: seed)
        var values: [OrderedJSON] = []
        var keys = ["", "x-note", "$schema", "$comment", "$switch", "$default", "{{a}}", "é", "a b"]
        func gather(_ value: OrderedJSON) {
            values.append(value)
            switch value {
            case .object(let members):
                keys += members.map(\.name)
                for member in members { gather(member.value) }
            case .array(let elements): for element in elements { gather(element) }
            default: break
            }
        }
        for sample in samples { gather(sample) }
        self.values = values
        self.keys = keys
    }

    mutating func mutant(of value: OrderedJSON, changes: ClosedRange<Int> = 1...3) -> OrderedJSON {
        var value = value
        for _ in 0..<Int.random(in: changes, using: &generator) { value = changed(value) }
        return value
    }

    /// Changes one thing somewhere in a value: where is decided by going down at random.
    private mutating func changed(_ value: OrderedJSON) -> OrderedJSON {
        switch value {
        case .object(var members) where !members.isEmpty && Int.random(in: 0..<8, using: &generator) > 0:
            let index = Int.random(in: 0..<members.count, using: &generator)
            let member = members[index]
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: members.remove(at: index)
            case 1: members.append(member)
            case 2: members[index] = OrderedJSON.Member(keys.randomElement(using: &generator) ?? "", member.value)
            case 3:
                members.insert(
                    OrderedJSON.Member(keys.randomElement(using: &generator) ?? "", anyValue()), at: index)
            case 4: members[index] = OrderedJSON.Member(misspelt(member.name), member.value)
            default: members[index] = OrderedJSON.Member(member.name, changed(member.value))
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<8, using: &generator) > 0:
            let index = Int.random(in: 0..<elements.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            default: elements[index] = changed(elements[index])
            }
            return .array(elements)
        case .string(let text) where Bool.random(using: &generator): return .string(misspelt(text))
        default: return anyValue()
        }
    }

    private mutating func anyValue() -> OrderedJSON {
        let plain: [OrderedJSON] = [
            .null, .bool(true), .number("0"), .number("-1"), .number("1e400"), .number("65536"), .string(""),
            .string("{{"), .string("{{a}}"), .string("{{secret.a}}"), .array([]), .object([OrderedJSON.Member]()),
        ]
        let pool = Bool.random(using: &generator) ? plain : values
        return pool.randomElement(using: &generator) ?? .null
    }

    private mutating func misspelt(_ text: String) -> String {
        var characters = Array(text)
        guard !characters.isEmpty else { return "{" }
        let index = Int.random(in: 0..<characters.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: characters.remove(at: index)
        case 1: characters.insert(characters[index], at: index)
        case 2: characters[index] = Array("{}\\.$ é\n\u{0}x").randomElement(using: &generator) ?? "x"
        default: characters += Array("{{\(text)}}")
        }
        return String(characters)
    }
}

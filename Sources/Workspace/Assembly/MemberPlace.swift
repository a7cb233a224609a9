import ReqcliBasics
import ReqcliText

/// The place of a value in a JSON body, as a word of the command line names it: `user[name]`, `tags[]`, `items[0][id]`.
package struct MemberPlace: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        case name(String)
        case index(Int)
        /// `[]`: after the last item of a list.
        case end
    }

    package let steps: [Step]

    /// The largest index that a list can be made for.
    private static let largestIndex = 9999

    /// Reads a name. Without brackets, it is the name of a member, whatever characters it has. A backslash before a bracket, a
    /// digit or a backslash takes it as part of a name.
    ///
    /// - Returns: Nil if the brackets don't fit, or an index is too large.
    package init?(_ text: String) {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        guard text.utf8.contains(open) else {
            steps = [.name(text)]
            return
        }
        var steps: [Step] = []
        var (part, isPlain, isInside) = ([UInt8](), true, false)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == .backslash, let next = rest.first, next.isDigit || [open, close, .backslash].contains(next) {
                part.append(rest.removeFirst())
                isPlain = false
            } else if byte == open {
                // Only the name before the first bracket has no brackets of its own.
                guard !isInside, part.isEmpty || steps.isEmpty else { return nil }
                if !part.isEmpty { steps.append(.name(String(decoding: part, as: UTF8.self))) }
                (part, isPlain, isInside) = ([], true, true)
            } else if byte == close, isInside {
                guard let step = Step(part, isPlain: isPlain) else { return nil }
                steps.append(step)
                (part, isPlain, isInside) = ([], true, false)
            } else {
                part.append(byte)
            }
        }
        guard !isInside, part.isEmpty || steps.isEmpty else { return nil }
        guard steps.count <= Self.mostSteps else { return nil }
        self.steps = part.isEmpty ? steps : [.name(String(decoding: part, as: UTF8.self))]
    }

    /// Values are placed by recursion.
    private static let mostSteps = 100

    /// A value with another one at this place; nil if something else is there.
    func placing(_ value: OrderedJSON, in whole: OrderedJSON?) -> OrderedJSON? {
        OrderedJSON.placing(value, at: steps[...], in: whole)
    }

    /// Whether each word with this place adds a value.
    var isAddition: Bool { steps.contains(.end) }
}

extension MemberPlace.Step {
    fileprivate init?(_ part: [UInt8], isPlain: Bool) {
        let text = String(decoding: part, as: UTF8.self)
        if part.isEmpty {
            self = .end
        } else if isPlain, part.allSatisfy(\.isDigit) {
            guard let index = Int(text), index <= MemberPlace.largestIndex else { return nil }
            self = .index(index)
        } else {
            self = .name(text)
        }
    }
}

extension OrderedJSON {
    fileprivate static func placing(
        _ value: OrderedJSON, at steps: ArraySlice<MemberPlace.Step>, in whole: OrderedJSON?
    ) -> OrderedJSON? {
        guard let step = steps.first else { return value }
        switch (step, whole ?? .null) {
        case (.name, .null): return placing(value, at: steps, in: .object([]))
        case (.name(let name), .object(var members)):
            let index = members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            guard let new = placing(value, at: steps.dropFirst(), in: index.map { members[$0].value }) else {
                return nil
            }
            if let index { members[index] = Member(name, new) } else { members.append(Member(name, new)) }
            return .object(members)
        case (.index, .null), (.end, .null): return placing(value, at: steps, in: .array([]))
        case (.index(let index), .array(var elements)):
            elements += Array(repeating: .null, count: max(0, index + 1 - elements.count))
            guard let new = placing(value, at: steps.dropFirst(), in: elements[index]) else { return nil }
            elements[index] = new
            return .array(elements)
        case (.end, .array(let elements)):
            return placing(value, at: steps.dropFirst(), in: nil).map { .array(elements + [$0]) }
        default: return nil
        }
    }
}

import ReqcliText

/// A difference between the shape of a stub and the shape of the server's responses, which are called the answer.
package struct ShapeFinding: Sendable {
    package enum Kind: String, Sendable {
        /// The stub has a member that the answer lacks.
        case gone
        case type
        /// The answer has a null where the stub has no null.
        case null
        case format
        /// The answer has a member that the stub lacks.
        case new

        /// Whether a client that can read the stub may fail on the answer.
        package var isBreaking: Bool { self != .new }
    }

    package let kind: Kind
    package let path: String
    /// The kind of value that the stub and the answer have at the path, such as `a string`; nil if there is no value.
    package let stub: String?
    package let answer: String?
    /// The place in the stub's document; nil if the stub has no such value.
    package let place: Range<Int>?
    let steps: [ShapeComparison.PathStep]
    let types: (stub: JSONShape.Types, answer: JSONShape.Types)

    /// The difference in words, such as `a string in the stub, nothing in the response`. For a new member, only `a string`.
    package var words: String {
        if kind == .new, stub == nil { return answer ?? "nothing" }
        return "\(stub ?? "nothing") in the stub, \(answer ?? "nothing") in the response"
    }
}

extension JSONShape {
    /// The differences of a live answer from this shape of a stub, in the order of the stub.
    ///
    /// A member that only some objects of a list have counts as present.
    package func findings(against answer: JSONShape) -> [ShapeFinding] {
        let comparison = ShapeComparison(self, answer)
        return comparison.pairs.flatMap { pair in
            Self.judge(pair).map { kind, place, formats in
                ShapeFinding(
                    kind: kind, path: comparison.path(of: pair),
                    stub: pair.one.map { $0.words(formats) }, answer: pair.other.map { $0.words(formats) },
                    place: place,
                    steps: comparison.steps(of: pair), types: (pair.one?.types ?? [], pair.other?.types ?? []))
            }
        }
    }

    private typealias Judgement = (kind: ShapeFinding.Kind, place: Range<Int>?, tellsFormats: Bool)

    private static func judge(_ pair: ShapeComparison.Pair) -> [Judgement] {
        guard let stub = pair.one else { return [(.new, nil, true)] }
        guard let answer = pair.other else { return [(.gone, stub.key, true)] }
        // If one shape has no types here, the document or the value is ignored or unknown.
        if stub.types.isEmpty || answer.types.isEmpty { return [] }
        var found: [Judgement] = []
        let unknown = answer.types.subtracting(stub.types).subtracting(.null)
        if !unknown.isEmpty {
            let wrong = stub.types.subtracting(answer.types)
            // If the stub has only null, another type is not an error, because a null says nothing about the type that the value
            // has at other times.
            found.append(
                (stub.types == .null ? .new : .type, stub.place(of: wrong.isEmpty ? stub.types : wrong), false))
        }
        if answer.types.contains(.null), !stub.types.contains(.null) {
            found.append((.null, stub.place(of: stub.types), false))
        }
        let formats = StringFormats.words.reduce(into: StringFormats()) { $0.insert($1.format) }
        if answer.types.contains(.string), !stub.formats.intersection(formats).isSubset(of: answer.formats) {
            found.append((.format, stub.place(of: .string), true))
        }
        return found
    }
}

extension ShapePart {
    /// The types as words, such as `a string` or `an object or null`. With formats, a string that is a date is `a date`.
    fileprivate func words(_ tellsFormats: Bool) -> String {
        let format = tellsFormats ? StringFormats.words.first { formats.contains($0.format) }?.words : nil
        return JSONShape.Types.names.filter { types.contains($0.type) }.map { type, name, _ in
            if type == .string, let format { return format }
            return type == .null ? name : (type == .object ? "an " : "a ") + name
        }.joined(separator: " or ")
    }
}

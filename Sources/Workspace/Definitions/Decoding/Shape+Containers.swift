import ReqcliText

extension JSONValue {
    /// Reports the value if it is a list without elements. Returns whether the value was reported.
    func reportIfEmptyList(_ decoding: inout Decoding) -> Bool {
        guard kind == .array, count == 0 else { return false }
        decoding.report(.valueInvalid, "\"\(decoding.subject)\" takes at least one element", at: place)
        return true
    }
}

extension Shape {
    /// A list. Invalid elements are reported and left out.
    static func list<Element>(
        of element: Shape<Element>, expects: String? = nil, isNeverEmpty: Bool = false
    ) -> Shape<[Element]> where Value == [Element] {
        let expects = expects ?? "a list, each element \(element.expects)"
        return Shape<[Element]>(expects: expects, schema: .list(element.schema, isNeverEmpty: isNeverEmpty)) {
            value, decoding in
            guard value.kind == .array else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            if isNeverEmpty, value.reportIfEmptyList(&decoding) { return nil }
            return value.elements.compactMap { element.decode($0, &decoding) }
        }
    }

    /// A single value or a list of values.
    static func oneOrMore<Element>(_ element: Shape<Element>, isNeverEmpty: Bool = false) -> Shape<[Element]>
    where Value == [Element] {
        let list = Shape<[Element]>.list(of: element, isNeverEmpty: isNeverEmpty)
        return Shape<[Element]>(
            expects: "\(element.expects), or a list of these", schema: .either([element.schema, list.schema])
        ) { value, decoding in
            if value.kind == .array { return list.decode(value, &decoding) }
            return element.decode(value, &decoding).map { [$0] }
        }
    }

    /// An object whose keys the user chooses. The order of the file is kept.
    static func dictionary<Element>(
        of element: Shape<Element>, keys: Shape<String>, ignoringCase: Bool = false, expects: String
    ) -> Shape<[Named<Element>]> where Value == [Named<Element>] {
        Shape<[Named<Element>]>(expects: expects, schema: .dictionary(keys: keys.schema.pattern, element.schema)) {
            value, decoding in
            guard value.kind == .object else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            var seen = SeenKeys(in: value)
            var result: [Named<Element>] = []
            result.reserveCapacity(value.count)
            for member in value.members {
                // `isAlwaysAllowed` is not used here, because a name chosen by the user, such as the name of a header, may begin
                // with "x-".
                if ObjectSchema.isMetadataKey(member.key) { continue }
                guard let name = keys.decode(member.key, &decoding),
                    decoding.isNew(member, identity: ignoringCase ? name.lowercased() : name, in: &seen)
                else { continue }
                guard let decoded = decoding.under(name, { element.decode(member.value, &$0) }) else { continue }
                result.append(Named(name, at: member.key.place, consume decoded))
            }
            return result
        }
    }
}

extension SchemaNode {
    fileprivate var pattern: String? { if case .text(let pattern, _) = self { pattern } else { nil } }
}

package import SourceText

extension Shape {
    /// A list. Elements that can't be used are left out after their problem was reported.
    static func list<Element>(of element: Shape<Element>, expects: String? = nil) -> Shape<[Element]>
    where Value == [Element] {
        let expects = expects ?? "a list, each element \(element.expects)"
        return Shape<[Element]>(expects: expects, schema: .list(element.schema)) { value, decoding in
            guard value.kind == .array else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            return value.elements.compactMap { element.decode($0, &decoding) }
        }
    }

    /// A list that has to have elements.
    static func nonEmptyList<Element>(of element: Shape<Element>, expects: String) -> Shape<[Element]>
    where Value == [Element] {
        let list = Shape<[Element]>.list(of: element, expects: expects)
        return Shape<[Element]>(expects: expects, schema: .list(element.schema, isNeverEmpty: true)) {
            value, decoding in
            if value.kind == .array, value.count == 0 {
                decoding.report(.valueInvalid, "\"\(decoding.subject)\" takes at least one element", at: value.place)
                return nil
            }
            return list.decode(value, &decoding)
        }
    }

    /// One value, or a list of them.
    static func oneOrMore<Element>(_ element: Shape<Element>, neverNone: Bool = false) -> Shape<[Element]>
    where Value == [Element] {
        let expects = "\(element.expects), or a list of such"
        let list =
            neverNone
            ? Shape<[Element]>.nonEmptyList(of: element, expects: expects)
            : Shape<[Element]>.list(of: element)
        return Shape<[Element]>(expects: expects, schema: .either([element.schema, list.schema])) { value, decoding in
            value.kind == .array ? list.decode(value, &decoding) : element.decode(value, &decoding).map { [$0] }
        }
    }

    /// An object whose keys the user chooses. The order of the file is kept.
    static func dictionary<Element>(
        of element: Shape<Element>, keys: KeyRule = .name("a value"), expects: String
    ) -> Shape<[Named<Element>]> where Value == [Named<Element>] {
        Shape<[Named<Element>]>(expects: expects, schema: .dictionary(keys: keys.pattern, element.schema)) {
            value, decoding in
            guard value.kind == .object else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            var seen = SeenKeys()
            return value.members.compactMap { member in
                let name = member.name
                // A name that the user chose may well begin with "x-": a header does.
                if ObjectSchema.isAside(name) { return nil }
                guard keys.accepts(member, &decoding), seen.isNew(member, identity: keys.identity(name), &decoding)
                else {
                    return nil
                }
                return decoding.under(name) { decoding in
                    element.decode(member.value, &decoding).map { Named(name, at: member.key.place, $0) }
                }
            }
        }
    }
}

/// One member of an object whose keys the user chooses.
package struct Named<Value: Sendable>: Sendable {
    package let name: String
    package let namePlace: Place
    package let value: Value

    package init(_ name: String, at namePlace: Place, _ value: Value) {
        self.name = name
        self.namePlace = namePlace
        self.value = value
    }
}

extension Sequence {
    package subscript<Value>(named name: String) -> Value? where Element == Named<Value> {
        first { $0.name == name }?.value
    }
}

/// Which keys an open object takes, and which of them are the same one.
struct KeyRule: Sendable {
    let pattern: String?
    let identity: @Sendable (String) -> String
    let accepts: @Sendable (JSONValue.Member, inout Decoding) -> Bool

    static func name(_ role: String) -> KeyRule {
        KeyRule(pattern: Name.pattern, identity: { $0 }) { member, decoding in
            if Name.isValid(member.name) { return true }
            decoding.report(.nameInvalid, Name.complaint(member.name, role), at: member.key.place, hint: Name.advice)
            return false
        }
    }

    /// Any key but an empty one.
    static func text(_ role: String) -> KeyRule {
        KeyRule(pattern: "^.+$", identity: { $0 }) { member, decoding in
            if !member.name.isEmpty { return true }
            decoding.report(.nameInvalid, "the name of \(role) can't be empty", at: member.key.place)
            return false
        }
    }

    /// Header names compare without regard to case, and must be tokens (RFC 9110).
    static let header = KeyRule(pattern: HeaderName.pattern, identity: { $0.lowercased() }) { member, decoding in
        if HeaderName.isValid(member.name) { return true }
        decoding.report(
            .nameInvalid, "\"\(member.name)\" can't be the name of a header", at: member.key.place,
            hint: "use letters, digits and !#$%&'*+-.^_`|~")
        return false
    }
}

/// What a header may be called: a token of RFC 9110.
package enum HeaderName {
    static let pattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// Notices a key that was there before, also under another spelling.
struct SeenKeys {
    private var first: [String: JSONValue] = [:]

    mutating func isNew(_ member: JSONValue.Member, identity: String, _ decoding: inout Decoding) -> Bool {
        guard let earlier = first[identity] else {
            first[identity] = member.key
            return true
        }
        let isSpeltAlike = earlier.equals(member.name)
        decoding.report(
            .keyDuplicate,
            isSpeltAlike
                ? "\"\(member.name)\" is given twice"
                : "\"\(member.name)\" is the same name as \"\(earlier.string ?? "")\"", at: member.key.place,
            hint: "keep one of them", notes: [Diagnostic.Note("it was given first here", at: earlier.place)])
        return false
    }
}

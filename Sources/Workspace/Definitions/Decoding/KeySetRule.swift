import ReqcliText

/// A rule about keys of an object that exclude or need each other.
package enum KeySetRule: Sendable {
    case exactlyOne([String])
    case atMostOne([String])
    case atLeastOne([String])
    /// The first key can't be given together with any of the keys in the list.
    case excludes(String, [String])
    /// The first key is only valid together with the second.
    case needs(String, String)

    /// The keys that the rule is about.
    var names: [String] {
        switch self {
        case .exactlyOne(let names), .atMostOne(let names), .atLeastOne(let names): names
        case .excludes(let name, let others): [name] + others
        case .needs(let name, let other): [name, other]
        }
    }

    /// Whether the rule may be broken, based only on how many of its keys are given. This check is quick, and for most objects
    /// the result is false.
    func mayBeBroken(_ given: KeySet) -> Bool {
        switch self {
        case .exactlyOne: given.count != 1
        case .atLeastOne: given.count == 0
        case .atMostOne, .excludes: given.count > 1
        case .needs: given.count == 1
        }
    }

    func verify(_ value: JSONValue, title: String, _ decoding: inout Decoding) {
        switch self {
        case .exactlyOne(let names):
            Self.atLeastOne(names).verify(value, title: title, &decoding)
            Self.atMostOne(names).verify(value, title: title, &decoding)
        case .atLeastOne(let names):
            guard given(names, value).isEmpty else { return }
            decoding.report(.keyMissing, "\(title) needs one of \(quoted(names))", at: value.headPlace)
        case .atMostOne(let names):
            let given = given(names, value)
            guard let first = given.first else { return }
            for other in given.dropFirst() {
                decoding.report(
                    .keyConflict,
                    "\(title) takes only one of \(quoted(names)); found both \"\(first.name)\" and \"\(other.name)\"",
                    at: other.key.place, hint: "keep one of the two",
                    notes: [Diagnostic.Note("the other key is here", at: first.key.place)])
            }
        case .excludes(let name, let others):
            guard let member = given([name], value).first, let other = given(others, value).first else { return }
            decoding.report(
                .keyConflict, "\"\(name)\" can't be combined with \"\(other.name)\" in \(title)", at: member.key.place,
                hint: "keep one of the two", notes: [Diagnostic.Note("the other key is here", at: other.key.place)])
        case .needs(let name, let other):
            guard let member = given([name], value).first, given([other], value).isEmpty else { return }
            decoding.report(
                .keyConflict, "\"\(name)\" can only be used together with \"\(other)\"", at: member.key.place)
        }
    }

    /// The members of the object with these names, in the order of the file. If a key is repeated, only its first member is
    /// included.
    private func given(_ names: [String], _ value: JSONValue) -> [JSONValue.Member] {
        names.compactMap { name in value.members.first { $0.key.equals(name) } }
            .sorted { $0.key.range.lowerBound < $1.key.range.lowerBound }
    }

    private func quoted(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}

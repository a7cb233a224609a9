import SourceText

/// Which keys of an object exclude or need each other.
package enum KeySetRule: Sendable {
    case exactlyOne([String])
    case atMostOne([String])
    case atLeastOne([String])
    /// The first can't be given beside any of the others.
    case excludes(String, [String])
    /// The first means something only beside the second.
    case needs(String, String)

    func verify(
        _ present: SeenKeys, of value: JSONValue, title: String, _ decoding: inout Decoding
    ) {
        switch self {
        case .exactlyOne(let names):
            Self.atLeastOne(names).verify(present, of: value, title: title, &decoding)
            Self.atMostOne(names).verify(present, of: value, title: title, &decoding)
        case .atLeastOne(let names):
            guard given(names, present).isEmpty else { return }
            decoding.report(.keyMissing, "\(title) needs one of \(quoted(names))", at: value.headPlace)
        case .atMostOne(let names):
            let given = given(names, present)
            guard let first = given.first else { return }
            for other in given.dropFirst() {
                decoding.report(
                    .keyConflict,
                    "\(title) takes only one of \(quoted(names)); found \"\(other.name)\" beside \"\(first.name)\"",
                    at: other.key.place, hint: "keep one of them",
                    notes: [Diagnostic.Note("the other one is here", at: first.key.place)])
            }
        case .excludes(let name, let others):
            guard let member = present[name], let other = given(others, present).first else { return }
            decoding.report(
                .keyConflict, "\"\(name)\" can't be given beside \"\(other.name)\" in \(title)", at: member.key.place,
                hint: "keep one of them", notes: [Diagnostic.Note("the other one is here", at: other.key.place)])
        case .needs(let name, let other):
            guard let member = present[name], present[other] == nil else { return }
            decoding.report(.keyConflict, "\"\(name)\" goes with \"\(other)\"", at: member.key.place)
        }
    }

    private func given(_ names: [String], _ present: SeenKeys) -> [JSONValue.Member] {
        names.compactMap { present[$0] }.sorted { $0.key.range.lowerBound < $1.key.range.lowerBound }
    }

    private func quoted(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}

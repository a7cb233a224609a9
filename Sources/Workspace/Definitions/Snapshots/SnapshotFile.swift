package import ReqcliText

/// An accepted response, stored as a file in `snapshots/`.
package struct SnapshotFile: Sendable {
    /// The whole file. Each value has its place in the file.
    package let root: JSONValue

    /// The body, if it is JSON.
    package var body: JSONValue? { root["body"] }

    package var status: Int? { root["status"]?.number?.int }

    static let table = ObjectShape<SnapshotFile>(
        "snapshotFile", title: "a snapshot", summary: "A response that was accepted.",
        [
            Field("status", .integer(100...999), required: true, "The status.") { _, _ in },
            Field(
                "headers",
                .dictionary(
                    of: .oneOrMore(.text, isNeverEmpty: true), keys: .headerName, ignoringCase: true,
                    expects: "an object of headers"), "The headers that are compared."
            ) { _, _ in },
            Field("body", .anyJSON, "The body as JSON.") { _, _ in },
            Field("text", .list(of: .text, expects: "a list of lines"), "The lines of a body that is not JSON.") {
                _, _ in
            },
        ], rules: [.atMostOne(["body", "text"])], initial: { SnapshotFile(root: $0) },
        check: { file, _, decoding in
            for object in file.body?.descendants.filter({ $0.kind == .object }) ?? [] {
                guard let key = object.repeatedKey else { continue }
                decoding.report(.keyDuplicate, "the key \(key.shortDescription) is given twice", at: key.place)
            }
        })
}

/// The texts that a snapshot contains in place of values.
package enum SnapshotMark: Sendable {
    case ignored
    /// The value exists and meets conditions.
    case match

    package static let ofIgnored = "<ignored>"

    static func ofMatch(_ conditions: String) -> String { "\(matchStart)\(conditions.shortened)>" }

    private static let matchStart = "<match: "

    /// Reads a value of a snapshot as a mark; nil for an ordinary value.
    package init?(_ value: JSONValue) {
        guard value.kind == .string, let text = value.string else { return nil }
        if text == Self.ofIgnored {
            self = .ignored
        } else if text.hasPrefix(Self.matchStart), text.hasSuffix(">") {
            self = .match
        } else {
            return nil
        }
    }
}

import ReqcliText

/// The settings with which `drift` compares a stub variant with the server.
package struct StubDrift: Sendable {
    /// Whether the variant is compared at all.
    package var isCompared = true
    package var ignored: [Located<String>] = []
    package var maps: [Located<String>] = []

    static let shape = Shape<StubDrift>.object(
        table, or: .never, expects: "false, or an object with \"ignore\" and \"maps\""
    ) { _, _ in StubDrift(isCompared: false) }

    private static let table = ObjectShape<StubDrift>(
        "drift", title: "\"drift\"", summary: "How `drift` compares a stub variant with the server's responses.",
        [
            Field("ignore", .list(of: .jsonPath), "JSONPaths of values that are not compared.") { $0.ignored = $1 },
            Field("maps", .list(of: .jsonPath), "JSONPaths of objects whose keys are data, such as ids.") {
                $0.maps = $1
            },
        ], initial: { _ in StubDrift() })
}

extension Shape where Value == Bool {
    static let never = boolean.checked(expects: "false", schema: .constant(false), code: .valueInvalid) { !$0 }
}

import ReqcliText

/// The responses that an endpoint gives without a server.
package struct Stubs: Sendable {
    package var defaultVariant: Located<String>?
    package var variants: [Named<VariantDefinition>] = []

    static let table = ObjectShape<Stubs>(
        "stubs", title: "\"stubs\"", summary: "Stub responses, which need no server.",
        [
            Field("default", .located(.name("a variant")), "The variant that --stub uses; the first one by default.") {
                $0.defaultVariant = $1
            },
            Field(
                "variants",
                .dictionary(
                    of: VariantDefinition.table.shape, keys: .name("a variant"),
                    expects: "an object of variants by name"),
                required: true, "The variants by name."
            ) { $0.variants = $1 },
        ], initial: { _ in Stubs() })
}

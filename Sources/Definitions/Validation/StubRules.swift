import NearNames
import SourceText

/// Stub variants: those that others name exist, and none is like itself.
enum StubRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { endpoint -> [Diagnostic] in
            guard let stubs = endpoint.definition.stubs else { return [] }
            let named = [stubs.defaultVariant].compactMap(\.self) + stubs.variants.flatMap { references(of: $0.value) }
            return named.compactMap { unknownVariant($0, of: stubs, endpoint.id) } + cycles(stubs)
                + headerProblems(stubs)
        }
    }

    static func unknownVariant(_ name: Located<String>, of stubs: Stubs?, _ id: String) -> Diagnostic? {
        let known = stubs?.variants.map(\.name) ?? []
        if known.contains(name.value) { return nil }
        let list = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
        return Diagnostic(
            code: .variantUnknown, "\(id) has no stub variant \"\(name.value)\"", at: name.place,
            hint: NearNames.question(for: name.value, among: known).map { "\($0); \(list)" } ?? list)
    }

    private static func references(of variant: StubVariant) -> [Located<String>] {
        let steps = (variant.sequence ?? []).flatMap { step -> [Located<String>] in
            switch step {
            case .named(let name): [name]
            case .written(let variant): references(of: variant)
            }
        }
        return [variant.like].compactMap(\.self) + steps
    }

    private static func cycles(_ stubs: Stubs) -> [Diagnostic] {
        stubs.variants.compactMap { variant in
            Cycle.path(from: variant.name) { name in
                stubs.variants[named: name].map { references(of: $0).map(\.value) } ?? []
            }.map { path in
                Diagnostic(
                    code: .likeCycle, "stub variants refer to each other in a circle: \(path.joined(separator: " → "))",
                    at: variant.namePlace)
            }
        }
    }

    /// A recorded answer has no params: its headers are what they say.
    private static func headerProblems(_ stubs: Stubs) -> [Diagnostic] {
        stubs.variants.flatMap(\.value.headers).flatMap { $0.value.value.value ?? [] }.flatMap(\.placeholders).map {
            Diagnostic(
                code: .placeholderInvalid, "a stub's headers can't have placeholders", at: $0.place,
                hint: "write \\\\{{ for a literal {{")
        }
    }
}

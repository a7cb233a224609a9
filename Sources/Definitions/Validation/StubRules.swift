package import SourceText

/// Stub variants: those that others name exist, and none leads back to itself.
enum StubRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { endpoint -> [Diagnostic] in
            guard let stubs = endpoint.definition.stubs else { return [] }
            let references = stubs.variants.flatMap(\.value.references)
            let named = [stubs.defaultVariant].compactMap(\.self) + references
            let unknown = named.isEmpty ? [] : named.compactMap(VariantNames(endpoint).unknown)
            return unknown + (references.isEmpty ? [] : circles(stubs))
                + stubs.variants.flatMap { likeSequence($0.value, stubs) }
                + stubs.variants.flatMap { headers($0.value) }
        }
    }

    private static func circles(_ stubs: Stubs) -> [Diagnostic] {
        let references = Dictionary(
            stubs.variants.map { ($0.name, $0.value.references) }, uniquingKeysWith: { first, _ in first })
        return Circles.find(in: stubs.variants.map(\.name)) { references[$0]?.map(\.value) ?? [] }.map { circle in
            .likeCycle(circle, at: references[circle[0]]?.first { $0.value == circle[1] }?.place)
        }
    }

    private static func likeSequence(_ variant: StubVariant, _ stubs: Stubs) -> [Diagnostic] {
        let own = variant.like.flatMap { like in
            stubs.variants[named: like.value]?.sequence == nil ? nil : Diagnostic.likeSequence(like)
        }
        return [own].compactMap(\.self) + variant.writtenSteps.flatMap { likeSequence($0, stubs) }
    }

    /// A recorded answer has no params: its headers are what they say.
    private static func headers(_ variant: StubVariant) -> [Diagnostic] {
        let own = variant.headers.flatMap { $0.value.value.value ?? [] }.flatMap(\.placeholders).map {
            Diagnostic(
                code: .placeholderInvalid, "a stub's headers can't have placeholders", at: $0.place,
                hint: Placeholder.literalAdvice)
        }
        return own + variant.writtenSteps.flatMap(headers)
    }
}

extension Diagnostic {
    /// - Parameter circle: The names on the way around, the first again at the end.
    package static func likeCycle(_ circle: [String], at place: Place?) -> Diagnostic {
        Diagnostic(
            code: .likeCycle, "stub variants refer to each other in a circle: \(circle.joined(separator: " → "))",
            at: place)
    }

    /// There is no one answer to take over and change.
    package static func likeSequence(_ like: Located<String>) -> Diagnostic {
        Diagnostic(
            code: .valueInvalid, "no variant can be like \"\(like.value)\", which is a sequence", at: like.place,
            hint: "name one of its variants")
    }
}

/// The variants that an endpoint has.
struct VariantNames {
    private let id: String
    private let known: NameIndex

    init(_ endpoint: LocatedEndpoint) {
        id = endpoint.id
        known = NameIndex(endpoint.definition.stubs?.variants.map(\.name) ?? [])
    }

    func unknown(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) { return nil }
        let list = known.names.isEmpty ? "it has none" : "it has \(known.names.listed)"
        return Diagnostic(
            code: .variantUnknown, "\(id) has no stub variant \"\(name.value)\"", at: name.place,
            hint: known.question(for: name.value).map { "\($0) \(list)" } ?? list)
    }
}

/// The variants that any endpoint has.
struct AllVariantNames {
    private let known: NameIndex
    /// False where nothing can be missed: there are no endpoints yet, or some couldn't be read.
    private let isComplete: Bool

    init(_ census: Census) {
        known = NameIndex(census.soundEndpoints.flatMap { $0.definition.stubs?.variants.map(\.name) ?? [] })
        isComplete = census.knowsAllEndpoints && !census.soundEndpoints.isEmpty
    }

    func unknown(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) || !isComplete { return nil }
        return Diagnostic(
            code: .variantUnknown, "no endpoint has a stub variant \"\(name.value)\"", at: name.place,
            hint: known.question(for: name.value) ?? (known.names.isEmpty ? nil : "there are \(known.names.listed)"))
    }
}

extension StubVariant {
    /// The variants written inside this one.
    var writtenSteps: [StubVariant] {
        (sequence ?? []).compactMap { if case .written(let variant) = $0 { variant } else { nil } }
    }

    /// Every variant that this one names.
    var references: [Located<String>] {
        let named = (sequence ?? []).compactMap { if case .named(let name) = $0 { name } else { nil } }
        return [like].compactMap(\.self) + named + writtenSteps.flatMap(\.references)
    }
}

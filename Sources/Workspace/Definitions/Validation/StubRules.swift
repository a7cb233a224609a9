import ReqcliBasics
import ReqcliFunctions
package import ReqcliText
import RequestBuilding

/// Checks variants of stubs against each other: there is no cycle, and sequences are short enough.
enum StubRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.endpoints.flatMap { endpoint -> [Diagnostic] in
            guard let stubs = endpoint.definition.stubs else { return [] }
            let refers = stubs.variants.contains { !$0.value.references.isEmpty }
            return (refers ? circles(stubs) + likeSequences(stubs) : []) + tooLong(stubs)
                + stubs.variants.flatMap {
                    headers($0.value) + functions($0.value) + lengths($0.value) + ignoredWholes($0.value)
                        + conditions($0.value)
                }
        }
    }

    /// Reports conditions of single steps of a sequence, because the steps of a sequence are used in turn.
    private static func conditions(_ variant: VariantDefinition) -> [Diagnostic] {
        variant.withWrittenSteps.dropFirst().compactMap(\.condition).map {
            Diagnostic(
                code: .keyConflict, "a step of a sequence can't have \"when\": steps respond in a fixed order",
                at: $0.place, hint: "move \"when\" to the variant that has the sequence")
        }
    }

    private static func circles(_ stubs: Stubs) -> [Diagnostic] {
        graph(stubs).cycles().map { .likeCycle($0.names, at: $0.place) }
    }

    private static func graph(_ stubs: Stubs) -> ReferenceGraph {
        ReferenceGraph(stubs.variants.map { ($0.name, $0.value.references) })
    }

    /// Counts the steps of each sequence without walking through them, because 30 nested sequences with two steps each have a
    /// billion steps.
    private static func tooLong(_ stubs: Stubs) -> [Diagnostic] {
        guard stubs.variants.contains(where: { $0.value.sequence != nil }) else { return [] }
        let variants = Dictionary(stubs.variants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        var counts: [String: Int] = [:]
        for name in graph(stubs).basesFirst {
            counts[name] = variants[name]?.stepCount { counts[$0] ?? 0 }
        }
        return stubs.variants.compactMap { variant in
            // A sequence is not reported if it contains another sequence that is already too long.
            let isFirst = !variant.value.references.contains { counts[$0.value] ?? 0 > Limits.sequence }
            let isTooLong = counts[variant.name] ?? 0 > Limits.sequence
            return isFirst && isTooLong ? .sequenceLength(variant.name, at: variant.value.place) : nil
        }
    }

    private static func likeSequences(_ stubs: Stubs) -> [Diagnostic] {
        let sequences = Set(stubs.variants.filter { $0.value.sequence != nil }.map(\.name))
        return stubs.variants.flatMap(\.value.withWrittenSteps).compactMap(\.like).filter {
            sequences.contains($0.value)
        }.map { .likeSequence($0) }
    }

    /// Reports placeholders in the headers of a variant that isn't filled, because these placeholders are sent unchanged.
    private static func headers(_ variant: VariantDefinition) -> [Diagnostic] {
        variant.withWrittenSteps.filter { $0.isFilled != true }.flatMap(\.headers).flatMap {
            $0.value.set ?? []
        }
        .compactMap { value in
            guard case .plain(let source) = value, let place = source.firstPlaceholder else { return nil }
            return Diagnostic(
                code: .placeholderInvalid, "a stub's headers can't have placeholders", at: place,
                hint: "add \"fill\": true to the variant, or \(Placeholder.literalAdvice)")
        }
    }

    /// Reports mistakes in placeholders with functions in a variant that is filled. The names in them are known only to a request.
    private static func functions(_ variant: VariantDefinition) -> [Diagnostic] {
        variant.withWrittenSteps.filter { $0.isFilled == true }.flatMap { variant -> [Diagnostic] in
            let headers = variant.headers.flatMap { $0.value.set ?? [] }.compactMap { header in
                if case .plain(let value) = header { value } else { nil }
            }
            switch variant.body {
            case .json(let body): return (headers + body.descendants).flatMap(\.functionProblems)
            case .text(let text): return headers.flatMap(\.functionProblems) + problems(in: text) { _ in variant.place }
            case .bytes, .file, nil: return headers.flatMap(\.functionProblems)
            }
        }
    }

    fileprivate static func problems(in text: String, _ place: (Range<Int>) -> Place) -> [Diagnostic] {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return [] }
        let bytes = Array(text.utf8)
        return TemplateReader(bytes).compactMap { piece in
            guard case .placeholder(let content) = piece else { return nil }
            do throws(PipelineProblem) {
                _ = try Pipeline.read(String(decoding: bytes[content], as: UTF8.self)) { _ in .json }
                return nil
            } catch {
                let start = content.lowerBound + error.range.lowerBound
                return Diagnostic(
                    code: .placeholderInvalid, error.message, at: place(start..<start + error.range.count),
                    hint: error.hint)
            }
        }
    }

    /// Reports a path in `ignore` that leaves nothing for `drift` to compare.
    private static func ignoredWholes(_ variant: VariantDefinition) -> [Diagnostic] {
        (variant.drift?.ignored ?? []).filter { $0.value == "$" }.map { path in
            Diagnostic(
                code: .valueInvalid, "\"ignore\" of \"$\" leaves nothing to compare", at: path.place,
                hint: "to leave the variant out, write \"drift\": false")
        }
    }

    /// Reports an invalid `Content-Length`, because no client could read such a response. A value with placeholders is not
    /// checked, because such a value is known only when a request is received.
    private static func lengths(_ variant: VariantDefinition) -> [Diagnostic] {
        variant.withWrittenSteps.flatMap(\.headers).filter { $0.name.isSameHeader(as: "Content-Length") }
            .flatMap { $0.value.set ?? [] }
            .compactMap { value in
                guard case .plain(let source) = value, source.firstPlaceholder == nil else { return nil }
                guard (source.string ?? source.numberText).byteCount == nil else { return nil }
                return Diagnostic(
                    code: .valueInvalid,
                    "\"Content-Length\" takes the number of bytes of the body; found \(source.shortDescription)",
                    at: source.place, hint: "remove it: the right Content-Length is added")
            }
    }
}

extension JSONValue {
    fileprivate var functionProblems: [Diagnostic] {
        StubRules.problems(in: string ?? "") { place(ofText: $0) }
    }

    /// The place of the first `{{…}}` in a text.
    fileprivate var firstPlaceholder: Place? {
        guard let text = string, text.utf8.contains(UInt8(ascii: "{")) else { return nil }
        for piece in TemplateReader(Array(text.utf8)) {
            var offsets = textOffsets
            switch piece {
            case .literal: continue
            case .placeholder(let content):
                return offsets.place(ofText: content.lowerBound - 2..<content.upperBound + 2)
            case .unclosed(let start): return offsets.place(ofText: start..<start + 2)
            }
        }
        return nil
    }
}

extension Diagnostic {
    /// - Parameter circle: The names in the cycle, with the first name repeated at the end.
    package static func likeCycle(_ circle: [String], at place: Place?) -> Diagnostic {
        .cycle(.likeCycle, "stub variants refer to each other", circle, at: place)
    }

    package static func sequenceLength(_ name: String, at place: Place?) -> Diagnostic {
        Diagnostic(
            code: .sequenceLength,
            "the sequence \"\(name)\" has more than \(Limits.sequence) steps, counting the steps of the sequences in it",
            at: place, hint: "make it shorter; \"then\": \"loop\" repeats a sequence")
    }

    /// The problem of a `like` that names a sequence. A sequence has no single response that could be changed.
    package static func likeSequence(_ like: Located<String>) -> Diagnostic {
        Diagnostic(
            code: .valueInvalid, "\"like\" can't name \"\(like.value)\", which is a sequence", at: like.place,
            hint: "name one of its variants")
    }
}

extension VariantDefinition {
    /// The inline variants in the sequence of this variant.
    private var writtenSteps: [VariantDefinition] {
        (sequence ?? []).compactMap { if case .written(let variant) = $0 { variant } else { nil } }
    }

    /// The number of steps of the sequence, including the steps of sequences in it. The result is at most one more than allowed.
    fileprivate func stepCount(of named: (String) -> Int) -> Int {
        (sequence ?? []).reduce(0) { count, step in
            let inner =
                switch step {
                case .named(let name): named(name.value)
                case .written(let variant): variant.stepCount(of: named)
                }
            return min(count + 1 + inner, Limits.sequence + 1)
        }
    }

    /// This variant and all inline variants in its sequence.
    package var withWrittenSteps: [VariantDefinition] { [self] + writtenSteps.flatMap(\.withWrittenSteps) }

    /// The names of all variants to which this variant refers.
    var references: [Located<String>] {
        if like == nil, sequence == nil { return [] }
        let named = (sequence ?? []).compactMap { if case .named(let name) = $0 { name } else { nil } }
        return (like.map { [$0] } ?? []) + named + writtenSteps.flatMap(\.references)
    }
}

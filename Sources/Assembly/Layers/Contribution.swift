import Definitions
import RequestBuilding
import SourceText

/// What one layer says about one part of the request: a run of operators with one origin.
///
/// It exists twice: as it is written in the file, which is enough to find out whether a later layer shadows it, and with
/// its values filled in. Only what stands in the end is filled in: a secret that a later layer makes needless is never
/// asked for.
struct Contribution {
    /// What it touches, and the text of it as it was written.
    let parts: [Part]
    let origin: Origin
    /// Adds the operators with their values; nil if a value couldn't be had, which has then been reported.
    let resolve: @Sendable (RequestBuilder, inout Evaluation) -> RequestBuilder?

    struct Part {
        let subject: RequestSubject
        var effect = RequestOperator.Effect.sets
        var written: String?
    }

    /// Says what is written without doing anything: for a contribution that something later shadows.
    func noted(on builder: RequestBuilder) -> RequestBuilder {
        parts.reduce(builder.from(origin)) { builder, part in
            builder.modifyURLRequest("written", subject: part.subject, effect: part.effect, value: part.written) { _ in
            }
        }
    }
}

/// The contributions of all layers in order, and where in the files they come from.
struct Contributions {
    private(set) var all: [Contribution] = []
    private(set) var places: [Origin: Place] = [:]
    var layer = ""

    mutating func add(
        _ parts: [Contribution.Part], at place: Place,
        resolve: @escaping @Sendable (RequestBuilder, inout Evaluation) -> RequestBuilder?
    ) {
        let start = place.start
        let origin = Origin(layer: layer, file: place.file.name, line: start.line, column: start.column)
        places[origin] = place
        add(parts, from: origin, resolve: resolve)
    }

    mutating func add(
        _ parts: [Contribution.Part], from origin: Origin,
        resolve: @escaping @Sendable (RequestBuilder, inout Evaluation) -> RequestBuilder?
    ) {
        all.append(Contribution(parts: parts, origin: origin, resolve: resolve))
    }

    /// One part, set to a text with placeholders or taken away.
    mutating func setting(
        _ subject: RequestSubject, _ setting: Setting<TextTemplate>?,
        encoding: @escaping @Sendable (String) -> String = { $0 },
        set: @escaping @Sendable (RequestBuilder, String) -> RequestBuilder,
        remove: @escaping @Sendable (RequestBuilder) -> RequestBuilder
    ) {
        guard let setting else { return }
        guard let template = setting.value.value else {
            add([Contribution.Part(subject: subject, effect: .removes)], at: setting.place) { builder, _ in
                remove(builder)
            }
            return
        }
        add([Contribution.Part(subject: subject, written: template.source)], at: setting.place) { builder, evaluation in
            switch evaluation.text(template, encoding: encoding) {
            case .value(let text): set(builder, text)
            case .absent: remove(builder)
            case .failed: nil
            }
        }
    }

    /// Runs all contributions on the builder: each in full that still stands in the end, the others as a note.
    func build(_ evaluation: inout Evaluation) -> RequestBuilder {
        let standing = standingIndices
        var builder = RequestBuilder()
        for (index, contribution) in all.enumerated() {
            let resolved =
                standing.contains(index) ? contribution.resolve(builder.from(contribution.origin), &evaluation) : nil
            builder = resolved ?? contribution.noted(on: builder)
        }
        return builder
    }

    /// The builder itself says what stands: there is no second way to merge.
    private var standingIndices: Set<Int> {
        var builder = RequestBuilder()
        for (index, contribution) in all.enumerated() {
            builder = Contribution(
                parts: contribution.parts, origin: Origin(layer: String(index)), resolve: contribution.resolve
            )
            .noted(on: builder)
        }
        return Set(
            builder.history().flatMap { $0.standing + [$0.removal].compactMap(\.self) }.compactMap {
                $0.origin.flatMap { Int($0.layer) }
            })
    }
}

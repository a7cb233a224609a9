import Definitions
import RequestBuilding
import SourceText

/// The contributions of all layers in order, and where in the files they come from.
struct Contributions {
    private(set) var all: [Contribution] = []
    var layer = ""
    /// Whether the layer is an environment, whose values no endpoint gets into.
    var isEnvironment = false
    /// The parts that `auth` and `cachePolicy` have set so far.
    var carriers = Carriers()

    /// What needs no values.
    mutating func add(_ parts: [Contribution.Part], at place: Place, change: @escaping Contribution.Change) {
        add(parts, at: place) { _ in .value(change) }
    }

    mutating func add(
        _ parts: [Contribution.Part], at place: Place,
        resolve: @escaping @Sendable (inout Evaluation) -> Evaluated<Contribution.Change>
    ) {
        add(parts, from: origin(at: place), at: place, resolve: resolve)
    }

    private func origin(at place: Place) -> Origin {
        Origin(layer: layer, file: place.file.name) {
            let start = place.start
            return (start.line, start.column)
        }
    }

    /// Adds operators that need neither values nor earlier layers: made once, for every call.
    mutating func addConstant(_ parts: [Contribution.Part], at place: Place, change: Contribution.Change) {
        addConstant(parts, from: origin(at: place), at: place, change: change)
    }

    mutating func addConstant(
        _ parts: [Contribution.Part], from origin: Origin, at place: Place? = nil, change: Contribution.Change
    ) {
        let operators = RequestBuilder().withOrigin(origin, change)
        let change: Contribution.Change = { $0.appending(operators) }
        add(parts, from: origin, at: place) { _ in .value(change) }
    }

    /// What needs no values.
    mutating func add(_ parts: [Contribution.Part], from origin: Origin, change: @escaping Contribution.Change) {
        add(parts, from: origin) { _ in .value(change) }
    }

    mutating func add(
        _ parts: [Contribution.Part], from origin: Origin, at place: Place? = nil,
        resolve: @escaping @Sendable (inout Evaluation) -> Evaluated<Contribution.Change>
    ) {
        let resolve = isEnvironment ? { @Sendable in $0.inEnvironment(resolve) } : resolve
        all.append(Contribution(parts: parts, origin: origin, place: place, resolve: resolve))
    }

    /// Asked for where something is wrong.
    var places: [Origin: Place] {
        let placed = all.compactMap { contribution in contribution.place.map { (contribution.origin, $0) } }
        return Dictionary(placed, uniquingKeysWith: { $1 })
    }

    func part(
        _ subject: RequestSubject, _ written: @autoclosure @escaping @Sendable () -> String
    ) -> Contribution.Part {
        Contribution.Part(subject, written: written)
    }

    func removal(of subject: RequestSubject) -> Contribution.Part {
        Contribution.Part(subject, written: nil)
    }
}

// MARK: - Building

extension Contributions {
    /// Runs all contributions on a builder: each in full that still stands in the end, for the others a stand-in.
    ///
    /// - Returns: The builder, and the parts of the request that it leaves open since their values couldn't be had.
    func build(_ evaluation: inout Evaluation) -> (builder: RequestBuilder, open: Set<RequestSubject>) {
        var isResolved = [Bool](repeating: false, count: all.count)
        var changes = [Contribution.Change?](repeating: nil, count: all.count)
        var spoken = Array(all.indices)
        var open: Set<RequestSubject> = []
        // Without rivals all of them stand, whichever fall silent.
        let haveRivals = hasRivals
        var isSettled = false
        while !isSettled {
            var silent: [Int] = []
            for index in haveRivals ? standing(among: spoken) : spoken where !isResolved[index] {
                isResolved[index] = true
                switch all[index].resolve(&evaluation) {
                case .value(let change): changes[index] = change
                case .absent: silent.append(index)
                case .failed: open.formUnion(all[index].parts.map(\.subject))
                }
            }
            // Where a value is absent, an earlier layer applies, and has to be resolved as well.
            isSettled = silent.isEmpty
            let isSilent = Set(silent)
            spoken.removeAll(where: isSilent.contains)
        }
        var builders: [RequestBuilder] = []
        for index in spoken {
            let contribution = all[index]
            // A flag's effect may depend on the files.
            var builder = RequestBuilder()
            if contribution.origin.flag != nil {
                builder = RequestBuilder(joining: builders)
                builders = []
            }
            builders.append(
                changes[index].map { builder.withOrigin(contribution.origin, $0) } ?? contribution.standIn(on: builder))
        }
        return (RequestBuilder(joining: builders), open)
    }

    /// The contributions that no later one replaces. The builder decides: there is no second way to merge.
    private func standing(among indices: [Int]) -> [Int] {
        let builder = RequestBuilder(
            joining: indices.map { all[$0].standIn(on: RequestBuilder(), from: Origin(layer: String($0))) })
        let origins = builder.history().flatMap { $0.standing + [$0.removal].compactMap(\.self) }.compactMap(\.origin)
        return Set(origins.compactMap { Int($0.layer) }).sorted()
    }

    /// Whether two of them speak of one part of the request. Where none do, as in most requests, all of them stand.
    private var hasRivals: Bool {
        // Different fingerprints mean different subjects.
        var prints: [Int] = []
        prints.reserveCapacity(all.count * 2)
        for contribution in all {
            // By their positions: a part that is looped over is copied.
            for index in contribution.parts.indices {
                prints.append(contribution.parts[index].fingerprint)
                if contribution.parts[index].contentType != nil {
                    prints.append(Contribution.Part.contentTypeFingerprint)
                }
            }
        }
        prints.sort()
        guard zip(prints, prints.dropFirst()).contains(where: ==) else { return false }
        let subjects = all.flatMap { contribution in
            contribution.parts.flatMap { $0.contentType == nil ? [$0.subject] : [$0.subject, .contentType] }
        }
        return Set(subjects).count < subjects.count
    }
}

import Definitions
import RequestBuilding
import SourceText

/// The contributions of all layers in order, and where in the files they come from.
struct Contributions {
    private(set) var all: [Contribution] = []
    private var placed: [(origin: Origin, place: Place)] = []
    var layer = ""
    /// Whether the layer is an environment, whose values no endpoint gets into.
    var isEnvironment = false
    /// What `auth` and `cachePolicy` have put on the request so far.
    var carriers = Carriers()

    /// What needs no values.
    mutating func add(_ parts: [Contribution.Part], at place: Place, change: @escaping Contribution.Change) {
        add(parts, at: place) { _ in .value(change) }
    }

    mutating func add(
        _ parts: [Contribution.Part], at place: Place,
        resolve: @escaping @Sendable (inout Evaluation) -> Evaluated<Contribution.Change>
    ) {
        add(parts, from: origin(at: place), resolve: resolve)
    }

    private mutating func origin(at place: Place) -> Origin {
        let start = place.start
        let origin = Origin(layer: layer, file: place.file.name, line: start.line, column: start.column)
        placed.append((origin, place))
        return origin
    }

    /// What needs no values and asks nothing of what was said before: the same operators for every call, made once.
    mutating func addConstant(_ parts: [Contribution.Part], at place: Place, change: Contribution.Change) {
        addConstant(parts, from: origin(at: place), change: change)
    }

    mutating func addConstant(_ parts: [Contribution.Part], from origin: Origin, change: Contribution.Change) {
        let operators = change(RequestBuilder().from(origin))
        add(parts, from: origin) { $0.appending(operators) }
    }

    /// What needs no values.
    mutating func add(_ parts: [Contribution.Part], from origin: Origin, change: @escaping Contribution.Change) {
        add(parts, from: origin) { _ in .value(change) }
    }

    mutating func add(
        _ parts: [Contribution.Part], from origin: Origin,
        resolve: @escaping @Sendable (inout Evaluation) -> Evaluated<Contribution.Change>
    ) {
        let resolve = isEnvironment ? { @Sendable in $0.inEnvironment(resolve) } : resolve
        all.append(Contribution(parts: parts, origin: origin, resolve: resolve))
    }

    /// Asked for where something is wrong.
    var places: [Origin: Place] {
        Dictionary(placed.map { ($0.origin, $0.place) }, uniquingKeysWith: { $1 })
    }

    func part(_ subject: RequestSubject, _ written: String?) -> Contribution.Part {
        Contribution.Part(subject: subject, effect: written == nil ? .removes : .sets, written: written)
    }
}

// MARK: - Building

extension Contributions {
    /// Runs all contributions on a builder: each in full that still stands in the end, for the others a stand-in.
    ///
    /// - Returns: The builder, and the parts of the request that it leaves open since their values couldn't be had.
    func build(_ evaluation: inout Evaluation) -> (builder: RequestBuilder, open: Set<RequestSubject>) {
        var resolved = [Evaluated<Contribution.Change>?](repeating: nil, count: all.count)
        var spoken = Array(all.indices)
        // Without rivals all of them stand, whichever fall silent.
        let haveRivals = hasRivals
        var isSettled = false
        while !isSettled {
            for index in haveRivals ? standing(among: spoken) : spoken where resolved[index] == nil {
                resolved[index] = all[index].resolve(&evaluation)
            }
            // What turns out to be absent lets an earlier layer show through, which then has to be resolved as well.
            let silent = spoken.filter { if case .absent = resolved[$0] { true } else { false } }
            isSettled = silent.isEmpty
            spoken.removeAll(where: silent.contains)
        }
        let open = spoken.filter { if case .failed = resolved[$0] { true } else { false } }
        let builder = spoken.reduce(RequestBuilder()) { builder, index in
            guard case .value(let change) = resolved[index] else { return all[index].standIn(on: builder) }
            return change(builder.from(all[index].origin))
        }
        return (builder, Set(open.flatMap { all[$0].parts.map(\.subject) }))
    }

    /// Which of the contributions stand in the end. The builder itself says so: there is no second way to merge.
    private func standing(among indices: [Int]) -> [Int] {
        let builder = indices.reduce(RequestBuilder()) { builder, index in
            let origin = Origin(layer: String(index))
            return Contribution(parts: all[index].parts, origin: origin, resolve: all[index].resolve)
                .standIn(on: builder)
        }
        let origins = builder.history().flatMap { $0.standing + [$0.removal].compactMap(\.self) }.compactMap(\.origin)
        return Set(origins.compactMap { Int($0.layer) }).sorted()
    }

    /// Whether two of them speak of one part of the request. Where none do, as in most requests, all of them stand.
    private var hasRivals: Bool {
        var subjects: [RequestSubject] = []
        subjects.reserveCapacity(all.count * 2)
        for contribution in all {
            for part in contribution.parts {
                subjects.append(part.subject)
                if part.contentType != nil { subjects.append(.header("Content-Type")) }
            }
        }
        // To compare a few with each other takes less than to hash them.
        if subjects.count > 32 { return Set(subjects).count < subjects.count }
        let prints = subjects.map(\.fingerprint)
        for index in prints.indices {
            for earlier in 0..<index
            where prints[earlier] == prints[index] && subjects[earlier] == subjects[index] { return true }
        }
        return false
    }
}

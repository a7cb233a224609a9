import SourceText

/// `needs`: endpoints that exist, params that they have, and no circle.
enum NeedRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.endpoints.flatMap { $0.needs.flatMap { problems($0.value, census) } } + circles(census.endpoints)
    }

    private static func problems(_ need: Need, _ census: Census) -> [Diagnostic] {
        guard let id = need.endpoint else { return [] }
        switch census.endpoint(id.value) {
        case .uncertain: return []
        case .missing: return [census.unknownEndpoint(id)]
        case .found(let target):
            let values = GivenParameters(need.parameters, for: target)
            return values.problems() + values.missing(at: id.place)
        }
    }

    private static func circles(_ endpoints: [LocatedEndpoint]) -> [Diagnostic] {
        let needs = Dictionary(
            endpoints.map { ($0.id, $0.needs.compactMap(\.value.endpoint)) }, uniquingKeysWith: { first, _ in first })
        return Circles.find(in: endpoints.map(\.id)) { needs[$0]?.map(\.value) ?? [] }.map { circle in
            Diagnostic(
                code: .needsCycle, "endpoints need each other in a circle: \(circle.joined(separator: " → "))",
                at: needs[circle[0]]?.first { $0.value == circle[1] }?.place,
                hint: circle.count == 2 ? "an endpoint can't need itself; null takes back a need of the group" : nil)
        }
    }
}

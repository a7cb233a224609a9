import ReqcliAssembly
import ReqcliDefinitions

extension Router {
    /// The base path that all endpoints share, such as `/v1`; nil if there is none.
    var basePath: String? {
        guard let first = patterns.first else { return nil }
        var shared = first.base
        for pattern in patterns.dropFirst() {
            shared = zip(shared, pattern.base).prefix { $0 == $1 }.map(\.0)
        }
        return shared.isEmpty ? nil : shared.map { "/" + $0 }.joined()
    }
}

extension RequestPattern {
    /// The segments before the endpoint's own path.
    fileprivate var base: [String] {
        let count = max(0, segments.count - ownSegmentCount)
        return segments.prefix(count).map(\.text.literal).prefix { $0?.isEmpty == false }.compactMap(\.self)
    }

    /// The number of segments of the endpoint's own path. A path from the root consists only of own segments.
    private var ownSegmentCount: Int {
        let definition = endpoint.definition
        switch (definition.environments[named: maker.environment]?.path ?? definition.request.path)?.set {
        case nil: return 0
        case .segments(let own): return own.count
        case .text(let template):
            let literals = template.pieces.compactMap { if case .literal(let text) = $0 { text } else { nil } }
            guard literals.first?.hasPrefix("/") != true else { return segments.count }
            return 1 + literals.joined().filter { $0 == "/" }.count
        }
    }
}

import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The list of all layers' operators, in the order of the layers. A later operator wins over an earlier one, so the list itself
/// is the merge of the layers. Operators are added before any value is known.
struct LayerMerge {
    /// Fills in values, and appends the operators that use the values to a builder. The result is absent if the value is an
    /// optional param that wasn't given. Then an earlier layer applies.
    typealias Change = @Sendable (RequestBuilder, inout Evaluation) -> Evaluated<RequestBuilder>
    typealias Part = DeferredOperators.Part

    private var steps: [(builder: RequestBuilder, place: Place?)] = []
    var layer = ""
    /// Whether the layer is an environment. Params and captures of an endpoint are not available in the values of an environment.
    var isEnvironment = false
    /// The parts that `auth` and `cachePolicy` have set so far.
    var carriers = Carriers()

    var builder: RequestBuilder { RequestBuilder(joining: steps.map(\.builder)) }

    /// Adds operators that need no values. If no origin is given, the origin is the place in the layer's file.
    mutating func add(
        at place: Place? = nil, from origin: Origin? = nil, _ change: (RequestBuilder) -> RequestBuilder
    ) {
        steps.append((change(RequestBuilder(origin: origin ?? self.origin(at: place))), place))
    }

    /// Adds operators that are made later. If later operators replace all of `parts`, these operators are not made, so that a
    /// secret that is not needed is never read.
    mutating func add(
        _ parts: [Part], at place: Place? = nil, from origin: Origin? = nil, _ change: @escaping Change
    ) {
        let origin = origin ?? self.origin(at: place)
        let isEnvironment = isEnvironment
        add(at: place, from: origin) { builder in
            builder.deferred(parts) { values in
                try values.filling { evaluation in
                    let start = RequestBuilder(origin: origin)
                    return isEnvironment ? evaluation.inEnvironment { change(start, &$0) } : change(start, &evaluation)
                }
            }
        }
    }

    /// Adds operators for one part of the request.
    ///
    /// - Parameter written: The value as written in the file.
    mutating func add(
        _ subject: RequestSubject, _ written: @autoclosure @escaping @Sendable () -> String, at place: Place? = nil,
        from origin: Origin? = nil, _ change: @escaping Change
    ) {
        add([Part(subject, written: written)], at: place, from: origin, change)
    }

    /// Moves the last operator for a part to the end of the list.
    mutating func moveToEnd(_ subject: RequestSubject) {
        guard let index = steps.lastIndex(where: { $0.builder.operators.first?.subject == subject }) else { return }
        steps.append(steps.remove(at: index))
    }

    private func origin(at place: Place?) -> Origin {
        guard let place else { return Origin(layer: layer) }
        return Origin(layer: layer, file: place.file.name) {
            let start = place.start
            return (start.line, start.column)
        }
    }

    /// The place of each origin, computed only for messages about problems.
    var places: [Origin: Place] {
        let placed = steps.compactMap { step in
            step.place.flatMap { place in step.builder.operators.first?.origin.map { ($0, place) } }
        }
        return Dictionary(placed, uniquingKeysWith: { $1 })
    }
}

/// The evaluation of a call, which the closures of its operators share.
final class CallValues {
    var evaluation: Evaluation

    init(_ evaluation: Evaluation) { self.evaluation = evaluation }
}

extension RequestValues {
    /// The operators with the values of the call; none if the value is absent.
    fileprivate func filling(
        _ change: (inout Evaluation) -> Evaluated<RequestBuilder>
    ) throws -> RequestBuilder {
        guard let call = context as? CallValues else { throw ValueUnknown() }
        switch change(&call.evaluation) {
        case .value(let operators): return operators
        case .absent: return RequestBuilder()
        case .failed: throw ValueUnknown()
        }
    }
}

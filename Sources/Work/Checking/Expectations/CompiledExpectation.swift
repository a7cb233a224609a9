package import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
package import ReqcliRedaction
package import ReqcliText

/// The conditions on a response, compiled: paths are parsed, and everything that can be prepared without values is prepared.
/// Operands with placeholders stay open until ``filled(with:redactor:)``. The type is a class, so that all cases share an
/// expectation that needs no values.
package final class CompiledExpectation: Sendable {
    let status: Located<[StatusPattern]>?
    package let maxTime: Located<Duration>?
    let place: Place
    let headers: [Conditions]
    let body: Conditions?
    let json: PathConditions
    /// The API description that the response has to agree with; nil if there is none.
    package let openAPI: OpenAPIParts?
    package let events: CompiledEvents?
    let snapshot: CompiledSnapshot?
    /// The templates of the open operands, in the order in which ``filled(with:redactor:)`` takes their values.
    package let templates: [ValueTemplate]

    init(
        status: Located<[StatusPattern]>?, maxTime: Located<Duration>?, place: Place, headers: [Conditions],
        body: Conditions?, json: PathConditions, openAPI: OpenAPIParts?, events: CompiledEvents?,
        snapshot: CompiledSnapshot?
    ) {
        (self.status, self.maxTime, self.place, self.headers, self.body) = (status, maxTime, place, headers, body)
        (self.json, self.openAPI, self.events, self.snapshot) = (json, openAPI, events, snapshot)
        let conditions = headers + [body].compactMap(\.self) + json.map(\.conditions)
        templates =
            conditions.flatMap(\.templates) + (events.map { ($0.each + $0.inOrder).flatMap(\.templates) } ?? [])
            + (snapshot?.match ?? []).flatMap(\.conditions.templates)
    }

    /// The expectation of one case. A nil in `values` means that a param has no value. Errors show no secrets.
    package func filled(
        with values: [OrderedJSON?], redactor: Redactor = Redactor([])
    ) throws(Failure) -> CompiledExpectation {
        if templates.isEmpty { return self }
        var filling = OperandFilling(values, redactor)
        return try filled(&filling)
    }

    fileprivate func filled(_ filling: inout OperandFilling) throws(Failure) -> CompiledExpectation {
        CompiledExpectation(
            status: status, maxTime: maxTime, place: place,
            headers: try headers.map { each throws(Failure) in try filling.fill(each) },
            body: try body.map { each throws(Failure) in try filling.fill(each) },
            json: try filling.fill(json), openAPI: openAPI, events: try events?.filled(&filling),
            snapshot: try snapshot?.filled(&filling))
    }
}

/// The conditions on the values of each path.
typealias PathConditions = [(path: JSONPath, conditions: Conditions)]

/// The comparison with the snapshot of a case.
struct CompiledSnapshot: Sendable {
    /// The marks that replace values in the snapshot, such as `<match: integer>`.
    let marks: [String]
    let match: PathConditions
    let ignored: [JSONPath]
    let headers: [String]
    let place: Place

    fileprivate func filled(_ filling: inout OperandFilling) throws(Failure) -> CompiledSnapshot {
        CompiledSnapshot(
            marks: marks, match: try filling.fill(match), ignored: ignored, headers: headers, place: place)
    }
}

/// The expectation of a stream, with the conditions of its events.
package struct CompiledEvents: Sendable {
    let first: Int?
    package let within: Duration
    let each: [CompiledExpectation]
    let inOrder: [CompiledExpectation]
    let place: Place

    fileprivate func filled(_ filling: inout OperandFilling) throws(Failure) -> CompiledEvents {
        CompiledEvents(
            first: first, within: within,
            each: try each.map { event throws(Failure) in try event.filled(&filling) },
            inOrder: try inOrder.map { event throws(Failure) in try event.filled(&filling) }, place: place)
    }
}

extension OperandFilling {
    fileprivate mutating func fill(_ all: PathConditions) throws(Failure) -> PathConditions {
        try all.map { each throws(Failure) in (each.path, try fill(each.conditions)) }
    }
}

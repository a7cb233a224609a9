import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A layer's operators for one part of the request, with one origin.
///
/// It exists twice: as it is written in the file, which is enough to find out whether a later layer shadows it, and with
/// its values filled in. Only what stands in the end is filled in: a secret that a later layer makes needless is never
/// asked for.
final class Contribution: Sendable {
    /// Operators to be put on a builder.
    typealias Change = @Sendable (RequestBuilder) -> RequestBuilder

    /// The parts that it sets, each with its text as written.
    let parts: [Part]
    let origin: Origin
    /// Where in a file the origin is, if it is in one.
    let place: Place?
    /// The operators with their values. Absent where the value is an optional param that wasn't given: then it is as if
    /// nothing had been written.
    let resolve: @Sendable (inout Evaluation) -> Evaluated<Change>

    init(
        parts: [Part], origin: Origin, place: Place?,
        resolve: @escaping @Sendable (inout Evaluation) -> Evaluated<Change>
    ) {
        self.parts = parts
        self.origin = origin
        self.place = place
        self.resolve = resolve
    }

    struct Part: Sendable {
        let subject: RequestSubject
        /// The text of it, made where it is asked for; nil where the part is taken away.
        let written: (@Sendable () -> String)?
        /// The Content-Type that follows from a body.
        let contentType: String?
        /// Whether it adds to what earlier layers say, and replaces none of it.
        var isAddition = false
    }

    /// Takes the place of operators that something later shadows: it says what is written and sends none of it.
    func standIn(on builder: RequestBuilder) -> RequestBuilder {
        builder.withOrigin(origin) { parts.reduce($0) { $1.standIn(on: $0) } }
    }
}

extension RequestSubject {
    /// The headers that a body implies.
    static let contentType = RequestSubject.header("Content-Type")
}

extension Contribution.Part {
    /// The order of headers and query items, and what becomes of an implied Content-Type, are as with the real values.
    fileprivate func standIn(on builder: RequestBuilder) -> RequestBuilder {
        let written = written?()
        guard case .body = subject else { return builder.standIn(for: subject, shownAs: written) }
        return written.map { builder.body(Data($0.utf8), contentType: contentType) } ?? builder.removingBody()
    }
}

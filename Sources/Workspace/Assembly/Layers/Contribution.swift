import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A layer's operators for one part of the request, with one origin.
///
/// A contribution has two forms: as written in the file, and with its values filled in. The written form is enough to find out
/// whether a later layer shadows the contribution. Only contributions that no later layer shadows are filled in, so a secret that
/// is not needed in the end is never read.
final class Contribution: Sendable {
    /// A function that adds operators to a builder.
    typealias Change = @Sendable (RequestBuilder) -> RequestBuilder

    /// The parts of the request that the contribution sets, each with its value as written.
    let parts: [Part]
    let origin: Origin
    /// The place of the origin; nil if the origin is not in a file.
    let place: Place?
    /// Returns the operators with their values. The result is absent if the value is an optional param that wasn't given. Then
    /// the contribution has no effect.
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
        /// The value as written, computed when it is needed; nil if the part is removed.
        let written: (@Sendable () -> String)?
        /// The Content-Type that a body implies.
        let contentType: String?
        /// Whether the value is added to the values of earlier layers instead of replacing them.
        var isAddition = false
    }

    /// Adds stand-ins for operators that a later contribution shadows. A stand-in shows the value as written and is never sent.
    func standIn(on builder: RequestBuilder) -> RequestBuilder {
        builder.withOrigin(origin) { parts.reduce($0) { $1.standIn(on: $0) } }
    }
}

extension RequestSubject {
    /// The header that a body implies.
    static let contentType = RequestSubject.header("Content-Type")
}

extension Contribution.Part {
    /// Adds a stand-in for this part. The order of headers and query items, and the effect on an implied Content-Type, are the
    /// same as with the real value.
    fileprivate func standIn(on builder: RequestBuilder) -> RequestBuilder {
        let written = written?()
        guard case .body = subject else { return builder.standIn(for: subject, shownAs: written) }
        return written.map { builder.body(Data($0.utf8), contentType: contentType) } ?? builder.removingBody()
    }
}

import Definitions
import RequestBuilding
package import SourceText

/// Something that a workspace asks for beyond its own files. Whoever runs the program has to agree, since the workspace may
/// be somebody else's: see docs/trust.md.
package enum TrustRequest: Hashable, Sendable {
    /// To run a program, from the workspace's root and without a shell.
    case program([String])
    /// To read a file outside the workspace for a request: its path as it is written, and where it leads.
    case file(String, real: String)
    /// To keep what an endpoint captures, on this machine.
    case keptLogin(_ endpointID: String, Duration)

    /// Completes "… needs your agreement".
    package var phrase: String {
        switch self {
        case .keptLogin(let id, let duration): "keeping what \(id) captures for \(duration.text)"
        case .program(let words): "running \"\(words.joined(separator: " "))\""
        case .file(let written, let real):
            "reading \(written.quoted)\(written == real ? "" : " (\(real))"), a file outside the workspace,"
        }
    }
}

/// Whether somebody has agreed to what a workspace asks for.
package enum TrustPermission: Sendable, Equatable {
    case granted
    /// There was no terminal to ask at.
    case unasked
    case refused
}

extension EvaluationScope {
    /// Why a request may not be followed.
    struct Objection: Error {
        let message: String
        let hint: String?
    }

    func demand(_ request: TrustRequest) throws(Objection) {
        switch world.permits(request, call.workspace.root) {
        case .granted: return
        case .unasked:
            throw Objection(
                message: "\(request.phrase) needs your agreement",
                hint: "look at it, then pass --trust or set REQCLI_TRUST=1")
        case .refused: throw Objection(message: "\(request.phrase) was refused", hint: nil)
        }
    }

    /// Asks for a file that a definition names, if it lies outside the workspace once all links are followed.
    ///
    /// - Parameters:
    ///   - written: The path as the definition has it.
    ///   - path: The same path as it can be used.
    func demandFile(_ written: String, at path: String) throws(Objection) {
        let root = call.workspace.root
        guard let real = world.files.resolve(path),
            !FilePath.isInside(real, world.files.resolve(root) ?? root)
        else { return }
        try demand(.file(written, real: real))
    }
}

extension Diagnostic.Code {
    package static let fileUntrusted: Self = "file.untrusted"
}

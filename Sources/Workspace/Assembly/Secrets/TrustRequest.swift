import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

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
    /// - Returns: Where the path leads; nil if there is nothing.
    @discardableResult
    func demandFile(_ written: String, at path: String) throws(Objection) -> String? {
        let root = call.workspace.root
        guard let real = world.files.resolve(path) else { return nil }
        if !FilePath.isInside(real, world.files.resolve(root) ?? root) { try demand(.file(written, real: real)) }
        return real
    }
}

extension World {
    /// Reads a file that was looked at before, if that is the file that the path still leads to.
    func read(_ path: String, upTo limit: Int, leadingTo real: String?) throws(FileProblem) -> [UInt8] {
        try files.readUnless(path, limit) { real == nil || real == $0 ? nil : FileProblem(.replaced) }
    }
}

extension Diagnostic.Code {
    package static let fileUntrusted: Self = "file.untrusted"
}

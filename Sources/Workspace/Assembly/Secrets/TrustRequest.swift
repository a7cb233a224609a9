import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// An action that a workspace requests and that goes beyond the workspace's own files. The user has to agree, because another
/// person may have written the workspace: see docs/explanation/trust.md.
package enum TrustRequest: Hashable, Sendable {
    /// To run a program, from the workspace's root and without a shell.
    case program([String])
    /// To read a file outside the workspace for a request: its path as written, and its real path.
    case file(String, real: String)
    /// To store the captures of an endpoint on this machine, for this duration.
    case keptLogin(_ endpointID: String, Duration)

    /// The words before "needs your agreement" in a message.
    package var phrase: String {
        switch self {
        case .keptLogin(let id, let duration): "keeping the captures of \(id) for \(duration.text)"
        case .program(let words): "running \"\(words.joined(separator: " "))\""
        case .file(let written, let real):
            "reading \(written.quoted)\(written == real ? "" : " (\(real))"), a file outside the workspace,"
        }
    }
}

extension EvaluationScope {
    /// The reason why a trust request is not granted.
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
                hint: "check what would be done, then pass --trust or set REQCLI_TRUST=1")
        case .refused: throw Objection(message: "\(request.phrase) was refused", hint: nil)
        }
    }

    /// Demands permission for a file that a definition names, if the file is outside the workspace after all links are followed.
    ///
    /// - Parameters:
    ///   - written: The path as written in the definition.
    ///   - path: The same path, absolute or relative to the current folder.
    /// - Returns: The real path of the file; nil if the file doesn't exist.
    @discardableResult
    func demandFile(_ written: String, at path: String) throws(Objection) -> String? {
        let root = call.workspace.root
        guard let real = world.files.resolve(path) else { return nil }
        if !FilePath.isInside(real, world.files.resolve(root) ?? root) { try demand(.file(written, real: real)) }
        return real
    }
}

extension World {
    /// Reads a file that was checked before. Throws if the path now leads to another file.
    func read(_ path: String, upTo limit: Int, leadingTo real: String?) throws(FileProblem) -> [UInt8] {
        try files.readUnless(path, limit) { real == nil || real == $0 ? nil : FileProblem(.replaced) }
    }
}

extension Diagnostic.Code {
    package static let fileUntrusted: Self = "file.untrusted"
}

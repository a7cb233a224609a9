import Foundation
import ReqcliRedaction
import RequestBuilding

extension RequestBody {
    /// Whether the body contains a secret, in any of the forms that are masked. A file that can't be read counts as containing a
    /// secret.
    func holdsSecret(_ redactor: Redactor) -> Bool {
        if redactor.isEmpty { return false }
        return pieces.contains { piece in
            switch piece {
            case .data(let data): redactor.isSecret(in: Array(data))
            case .file(let path): Self.holdsSecret(file: path, redactor)
            }
        }
    }

    private static func holdsSecret(file path: String, _ redactor: Redactor) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return true }
        defer { try? file.close() }
        var window: [UInt8] = []
        while true {
            guard let chunk = try? file.read(upToCount: 1 << 20) else { return true }
            if chunk.isEmpty { return false }
            window += chunk
            if redactor.isSecret(in: window) { return true }
            // A secret may begin in one chunk and end in the next.
            window.removeFirst(max(0, window.count - redactor.longest))
        }
    }
}

import Foundation
import Redaction
import RequestBuilding

extension RequestBody {
    /// Whether a secret stands in it, in any of the forms that are masked. What can't be read is taken to hold one.
    func holdsSecret(_ redactor: Redactor) -> Bool {
        if redactor.isEmpty { return false }
        return pieces.contains { piece in
            switch piece {
            case .data(let data): !redactor.matches(in: Array(data)).isEmpty
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
            if !redactor.matches(in: window).isEmpty { return true }
            // A secret may begin in one chunk and end in the next.
            window.removeFirst(max(0, window.count - redactor.longest))
        }
    }
}

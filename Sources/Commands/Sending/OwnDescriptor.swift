import Definitions
import Foundation
import Glibc

/// Names of what the program was started with: `/dev/stdout`, `/dev/fd/3`, and links to them. Behind such a name there may
/// be a file, which others go on writing to: it must not be replaced.
enum OwnDescriptor {
    static func named(_ path: String) -> Int32? {
        var path = path
        // No more than the links that a system follows.
        for _ in 0..<40 {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            if realPath(FilePath.parent(path)) == "/proc/\(getpid())/fd" { return Int32(name) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return nil }
            path = FilePath.join(FilePath.parent(path), target)
        }
        return nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

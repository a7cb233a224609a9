import Glibc
import ReqcliBasics

/// A file that is open for reading as long as an object refers to it. Any number of responses may read it at the same time.
package final class OpenFile: Sendable {
    let descriptor: Int32
    package let count: Int

    package struct Problem: Error, Equatable {
        package let reason: String
    }

    /// - Parameter followsLinks: False for a path that is known to have no symbolic links. If a part of the path has become a
    ///   link since then, opening the file fails.
    package init(path: String, followsLinks: Bool = true) throws(Problem) {
        // Non-blocking, because opening a pipe without a writer would wait forever.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            throw Problem(reason: !followsLinks && errno == ELOOP ? Self.linked : SystemError().name)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Problem(reason: "it is not a regular file")
        }
        count = Int(status.st_size)
        guard followsLinks || Self.isReal(path, descriptor) else { throw Problem(reason: Self.linked) }
    }

    private static let linked = "a part of its path has become a link"

    /// Whether an open file's real path is exactly this path.
    private static func isReal(_ path: String, _ descriptor: Int32) -> Bool {
        // Without /proc, checks the file that the path leads to now, because the open file's path can't be read.
        guard let real = realpath("/proc/self/fd/\(descriptor)", nil) ?? realpath(path, nil) else { return false }
        defer { free(real) }
        return String(cString: real) == path
    }

    deinit { close(descriptor) }
}

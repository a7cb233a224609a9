import Glibc

/// A file that is open for reading as long as something refers to it. Any number of responses may read it at the same time.
package final class OpenFile: Sendable {
    let descriptor: Int32
    package let count: Int

    package struct Problem: Error, Equatable {
        package let reason: String
    }

    package init(path: String) throws(Problem) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem(reason: "cannot open \(path): \(SystemError.current)") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Problem(reason: "\(path) is not a file")
        }
        count = Int(status.st_size)
    }

    deinit { close(descriptor) }
}

/// The reason why a call of the system failed.
struct SystemError: Error, Equatable, CustomStringConvertible {
    let code: Int32

    static var current: SystemError { SystemError(code: errno) }

    var description: String { String(cString: strerror(code)) }
}

import Glibc
import Synchronization

/// A pipe that the user names by the path of a descriptor, as bash does for `<(…)`. Only paths of the command line are read in this
/// way: a definition that named `/dev/fd/0` would get what the user pipes into the program.
package enum DescriptorPipe {
    /// What was read, by path. A pipe can be read only once, but a request may be made twice.
    private static let known = Mutex<[String: [UInt8]]>([:])

    /// Whether a path names a descriptor of the process other than standard input, output and error.
    package static func isNamed(by path: String) -> Bool {
        let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
        return folder.flatMap { Int(path.dropFirst($0.count)) }.map { $0 > 2 } ?? false
    }

    /// Reads a pipe to its end, the first time.
    package static func read(_ path: String, upTo limit: Int) throws(FileProblem) -> [UInt8] {
        if let bytes = known.withLock({ $0[path] }) { return bytes }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw LiveFile.problem(errno, path) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw LiveFile.problem(errno, path) }
        guard info.st_mode & S_IFMT == S_IFIFO else { throw FileProblem(.notRegular) }
        let bytes = try LiveFile.contents(descriptor, size: 0, limit: limit, path)
        known.withLock { $0[path] = bytes }
        return bytes
    }
}

extension FileSystem {
    /// Reads a file or a pipe that the command line names.
    package func readTyped(_ path: String, upTo limit: Int) throws(FileProblem) -> [UInt8] {
        DescriptorPipe.isNamed(by: path) && kind(path) == .other
            ? try DescriptorPipe.read(path, upTo: limit) : try read(path, limit)
    }
}

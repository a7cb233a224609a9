import Glibc
import Synchronization

/// A folder of a test's own on the real disk, gone when the value is, and when the process ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    package struct Failure: Error {
        package let step: String
        package let code: Int32
    }

    package init() throws {
        var template = Array("/tmp/reqcli-tests.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw Failure(step: "mkdtemp", code: errno) }
        path = made
        Self.removeAllAtExit
        Self.folders.withLock { _ = $0.insert(made) }
    }

    deinit {
        Self.folders.withLock { _ = $0.remove(path) }
        Self.remove(path)
    }

    private static let folders = Mutex<Set<String>>([])

    /// What lives as long as the process, as what is made once for all tests, isn't given up by anyone.
    private static let removeAllAtExit: Void = {
        _ = atexit { folders.withLock { $0 }.forEach(remove) }
    }()

    package func absolute(_ inside: String) -> String { path + "/" + inside }

    /// Writes a file, and the folders above it.
    package func write(_ bytes: [UInt8], to inside: String) throws {
        try makeFolders(above: inside)
        let descriptor = open(absolute(inside), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(step: "open \(inside)", code: errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(step: "write \(inside)", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    package func write(_ text: String, to inside: String) throws { try write(Array(text.utf8), to: inside) }

    package func makeFolder(_ inside: String) throws {
        try makeFolders(above: inside + "/x")
    }

    package func link(_ inside: String, to target: String) throws {
        try makeFolders(above: inside)
        guard symlink(target, absolute(inside)) == 0 else { throw Failure(step: "symlink \(inside)", code: errno) }
    }

    package func makePipe(_ inside: String) throws {
        try makeFolders(above: inside)
        guard mkfifo(absolute(inside), 0o644) == 0 else { throw Failure(step: "mkfifo \(inside)", code: errno) }
    }

    private func makeFolders(above inside: String) throws {
        var made = path
        for part in inside.split(separator: "/").dropLast() {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw Failure(step: "mkdir \(made)", code: errno) }
        }
    }

    /// Depth first; links are taken out, not followed.
    private static func remove(_ path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        if let directory = opendir(path) {
            var names: [String] = []
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            closedir(directory)
            for name in names { remove(path + "/" + name) }
        }
        rmdir(path)
    }
}

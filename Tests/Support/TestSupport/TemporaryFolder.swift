import Foundation
import Glibc
import ReqcliBasics

/// A folder on the real disk for one test. It is deleted when this object is released, or when the process ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    package struct Failure: Error {
        package let step: String
        package let code: Int32
    }

    /// - Parameter files: The texts of files by their paths inside the folder.
    package init(_ files: [String: String] = [:]) throws {
        var template = Array("/tmp/reqcli-tests.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw Failure(step: "mkdtemp", code: errno) }
        path = made
        Self.removeAllAtExit
        Self.folders.withLock { _ = $0.insert(made) }
        for (name, text) in files { try write(name, text) }
    }

    deinit {
        Self.folders.withLock { _ = $0.remove(path) }
        Self.remove(path)
    }

    private static let folders = Mutex<Set<String>>([])

    /// At the end of the process, deletes the folders that still exist. These are folders whose objects were never released.
    private static let removeAllAtExit: Void = {
        _ = atexit { folders.withLock { $0 }.forEach(remove) }
    }()

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and creates the folders above it.
    ///
    /// - Returns: The file's absolute path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try makeFolders(above: name)
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(step: "open \(name)", code: errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(step: "write \(name)", code: errno) }
            rest = rest.dropFirst(count)
        }
        return path(name)
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    package func makeFolder(_ name: String) throws {
        try makeFolders(above: name + "/x")
    }

    package func link(_ name: String, to target: String) throws {
        try makeFolders(above: name)
        guard symlink(target, path(name)) == 0 else { throw Failure(step: "symlink \(name)", code: errno) }
    }

    package func makePipe(_ name: String) throws {
        try makeFolders(above: name)
        guard mkfifo(path(name), 0o644) == 0 else { throw Failure(step: "mkfifo \(name)", code: errno) }
    }

    /// The bytes of a file; nil if it cannot be read.
    package func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// The text of a file; nil if it cannot be read.
    package func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The names of the files and folders directly in the folder, sorted, including hidden ones.
    package var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }

    /// The bytes of all files and folders at any depth, by path, including hidden ones. A folder has no bytes.
    package var contents: [String: [UInt8]] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, bytes($0) ?? []) })
    }

    private func makeFolders(above name: String) throws {
        var made = path
        for part in name.split(separator: "/").dropLast() {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw Failure(step: "mkdir \(made)", code: errno) }
        }
    }

    /// Deletes a folder depth first. Links are deleted, not followed.
    private static func remove(_ path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        // A test may have removed the folder's permissions, so they are restored before the folder is read.
        chmod(path, 0o700)
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

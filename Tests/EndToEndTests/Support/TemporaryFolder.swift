import Glibc
import Testing

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        var template = Array("/tmp/reqcli-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
        for (name, text) in files { try write(name, Array(text.utf8)) }
    }

    deinit {
        remove(path)
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        makeFolders(for: name)
        let file = try #require(fopen(path(name), "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    func makeFolder(_ name: String) { makeFolders(for: name + "/.") }

    /// The text of a file; nil if there is none.
    func text(_ name: String) -> String? {
        guard let file = fopen(path(name), "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func makeFolders(for name: String) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o777)
        }
    }

    private func remove(_ path: String) {
        if unlink(path) == 0 { return }
        chmod(path, 0o700)
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove("\(path)/\(name)") }
            }
            closedir(directory)
        }
        rmdir(path)
    }
}

extension TemporaryFolder {
    /// A workspace that is in order: two endpoints in a file, an environment.
    static func workspace(adding files: [String: String] = [:]) throws -> TemporaryFolder {
        try TemporaryFolder(
            [
                "endpoints/user.json": #"""
                {
                  "description": "People",
                  "endpoints": {
                    "get": { "description": "Who is logged in", "path": "/user", "tags": ["smoke"] },
                    "create": { "method": "POST", "path": "/user" }
                  }
                }
                """#,
                "environments/development.json": #"{ "baseURL": "http://localhost:8080" }"#,
            ].merging(files) { $1 })
    }
}

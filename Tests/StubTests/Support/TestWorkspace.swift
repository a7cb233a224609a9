import Foundation
import Testing

/// A workspace of a test's own, gone with it.
final class TestWorkspace: Sendable {
    let path: String

    /// Files by their paths; an environment comes with them.
    init(_ files: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("stubs-\(UUID().uuidString)").path
        try write("environments/development.json", #"{ "baseURL": "http://a.test" }"#)
        for (name, text) in files { try write(name, text) }
    }

    /// A workspace with one endpoint, `a`.
    convenience init(endpoint: String) throws {
        try self.init(["endpoints/a.json": endpoint])
    }

    deinit {
        // Best effort: a folder left behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { Array($0) } }

    func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// Everything in it, hidden files too.
    var contents: [String: [UInt8]] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, bytes($0) ?? []) })
    }
}

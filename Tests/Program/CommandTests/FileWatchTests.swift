import Foundation
import ReqcliDefinitions
import TestSupport
import Testing

@testable import Commands

/// Saved files are noticed by inotify, and by looking where there is none.
struct FileWatchTests {
    @Test("Folders that link to each other are watched once", .timeLimit(.minutes(1)), arguments: [true, false])
    func cycles(byInotify: Bool) throws {
        let folder = try TemporaryFolder(["a/x.json": "1", "b/y.json": "1"])
        for (link, target) in [("a/b", "../b"), ("a/c", "../b"), ("b/a", "../a"), ("b/c", "../a"), ("a/up", "..")] {
            try folder.link(link, to: target)
        }
        var watch = FileWatch([folder.path("")], files: .live, byInotify: byInotify) { _, _ in true }
        try folder.write("b/y.json", "22")
        #expect(watch.changes().filter { $0.hasSuffix(".json") }.count == 1)
    }

    @Test("Files that are saved all the time are reported, too", .timeLimit(.minutes(1)))
    func busyFolder() async throws {
        let folder = try TemporaryFolder(["a.json": "1"])
        var watch = FileWatch([folder.path("")], files: .live) { _, _ in true }
        let writing = Task {
            while !Task.isCancelled {
                try folder.write("a.json", "2")
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { writing.cancel() }
        while watch.changes().isEmpty { await Task.yield() }
        try folder.write("a.json", "3")
        #expect(watch.savedFiles(within: .milliseconds(300))?.isEmpty == false)
    }

    @Test("Saved, new, renamed and deleted files are reported once each, and others never", arguments: [true, false])
    func changes(byInotify: Bool) throws {
        let folder = try TemporaryFolder(["a.json": "1", "sub/b.json": "1", "other/c.json": "1", "note.txt": "1"])
        var watch = FileWatch([folder.path("")], files: .live, byInotify: byInotify) { path, isFolder in
            isFolder ? !path.hasSuffix("/other") : path.hasSuffix(".json")
        }
        func saved() -> [String] {
            Set(watch.changes().compactMap { $0.split(separator: "/").last.map(String.init) }).sorted()
        }
        #expect(saved().isEmpty)
        try folder.write("a.json", "22")
        try folder.write("sub/b.json", "22")
        try folder.write("sub/new.json", "1")
        try folder.write("other/c.json", "22")
        try folder.write("note.txt", "22")
        #expect(saved() == ["a.json", "b.json", "new.json"])
        #expect(saved().isEmpty)
        try FileManager.default.removeItem(atPath: folder.path("a.json"))
        #expect(saved() == ["a.json"])
    }
}

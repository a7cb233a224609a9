import CommandLineKit
import Definitions
import Glibc

/// Reports files that were saved below some folders, by inotify.
///
/// It watches folders and not files, because editors put a new file in the place of the old one. Events wait in the kernel
/// while nobody reads them, so no save is missed.
struct FileWatch: ~Copyable {
    /// Readable when something was saved.
    let descriptor: Int32
    private let files: FileSystem
    private let isWanted: (_ path: String, _ isFolder: Bool) -> Bool
    private var folders: [Int32: String] = [:]

    /// A file that was closed after writing or got this name, one that is gone, and a new folder.
    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR)

    /// - Parameters:
    ///   - folders: Watched without the folders below them, unless those are wanted. Missing ones are passed over.
    ///   - isWanted: Whether a file, or a folder with its files, matters.
    init(
        _ folders: Set<String>, files: FileSystem, isWanted: @escaping (_ path: String, _ isFolder: Bool) -> Bool
    ) throws(SystemError) {
        self.files = files
        self.isWanted = isWanted
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { throw SystemError() }
        for folder in folders.sorted() { try watch(folder) }
    }

    deinit { close(descriptor) }

    /// Watches a folder, and those below it that are wanted.
    private mutating func watch(_ folder: String) throws(SystemError) {
        let number = inotify_add_watch(descriptor, folder, Self.events)
        guard number >= 0 else {
            let error = SystemError()
            if error.code == ENOENT || error.code == ENOTDIR { return }
            throw error
        }
        folders[number] = folder
        for name in (try? files.names(folder)) ?? [] {
            let path = FilePath.join(folder, name)
            if files.kind(path) == .directory, isWanted(path, true) { try watch(path) }
        }
    }

    /// The wanted paths of all events that wait: empty where none matters.
    mutating func changes() throws(SystemError) -> [String] {
        var changed: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return changed }
            for event in Event.all(in: buffer[..<count]) {
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { changed.append("") }
                guard let folder = folders[event.watch], !event.name.isEmpty else { continue }
                let path = FilePath.join(folder, event.name)
                let isFolder = event.mask & UInt32(IN_ISDIR) != 0
                guard isWanted(path, isFolder) else { continue }
                if isFolder {
                    // Files may have come into it before it was watched.
                    if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { try watch(path) }
                    changed.append(path)
                } else if event.mask & UInt32(IN_CREATE) == 0 {
                    changed.append(path)
                }
            }
        }
    }

    /// One `struct inotify_event`, whose length varies with the name.
    private struct Event {
        let watch: Int32
        let mask: UInt32
        let name: String

        static func all(in bytes: ArraySlice<UInt8>) -> [Event] {
            var events: [Event] = []
            bytes.withUnsafeBytes { bytes in
                var start = 0
                while start + 16 <= bytes.count {
                    let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                    let name = bytes[(start + 16)..<min(start + 16 + length, bytes.count)].prefix { $0 != 0 }
                    events.append(
                        Event(
                            watch: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
                            mask: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                            name: String(decoding: name, as: UTF8.self)))
                    start += 16 + length
                }
            }
            return events
        }
    }
}

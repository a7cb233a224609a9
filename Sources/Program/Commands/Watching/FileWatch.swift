import CommandLineKit
import Glibc
import ReqcliDefinitions

/// Reports files that were saved below some folders. It uses inotify, or looks at all files at intervals if the system has no
/// inotify instances left.
///
/// It watches folders and not files, because editors put a new file in the place of the old one. Events wait in the kernel until
/// they are read, so no save is missed.
struct FileWatch: ~Copyable {
    /// The descriptor of inotify, which is readable when something was saved; -1 without inotify.
    private(set) var descriptor: Int32
    private let roots: Set<String>
    /// The state of the files at the last check. Used only without inotify.
    private var stamps: [String: Stamp] = [:]

    /// The time in milliseconds to wait for the descriptor before looking for changes. With inotify there is no limit (-1),
    /// otherwise it is half a second.
    var patience: Int32 { descriptor < 0 ? 500 : -1 }

    private let files: FileSystem
    private let isWanted: (_ path: String, _ isFolder: Bool) -> Bool
    private var folders: [Int32: String] = [:]

    /// The events to watch for: a file that was closed after writing or moved to its name, a file that is gone, and a new folder.
    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR)

    /// Begins to watch folders.
    ///
    /// - Parameters:
    ///   - folders: The folders to watch. Folders inside these folders are watched only if they are wanted. Missing folders are
    ///     skipped.
    ///   - isWanted: Whether a file, or a folder with its files, matters.
    ///   - byInotify: False to look at the files at intervals instead.
    init(
        _ folders: Set<String>, files: FileSystem, byInotify: Bool = true,
        isWanted: @escaping (_ path: String, _ isFolder: Bool) -> Bool
    ) {
        self.files = files
        self.isWanted = isWanted
        roots = folders
        descriptor = byInotify ? inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) : -1
        if descriptor < 0 { stamps = found() }
        for folder in folders.sorted() where descriptor >= 0 { watch(folder) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches a folder, and the wanted folders below it. If the system refuses, inotify is no longer used for any folder.
    private mutating func watch(_ folder: String) {
        let number = inotify_add_watch(descriptor, folder, Self.events)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            close(descriptor)
            descriptor = -1
            stamps = found()
            return
        }
        // inotify gives a folder the same number, whatever links lead to it. Without this check, a cycle of links would have no
        // end.
        if let known = folders[number], known != folder, files.kind(known) == .directory { return }
        folders[number] = folder
        for name in (try? files.names(folder)) ?? [] {
            let path = FilePath.join(folder, name)
            if descriptor >= 0, files.kind(path) == .directory, isWanted(path, true) { watch(path) }
        }
    }

    /// The wanted paths that have changed since the last call; empty if there are none.
    mutating func changes() -> [String] {
        if descriptor < 0 { return differences() }
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
                    // Files may have been saved in the folder before it was watched.
                    if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { watch(path) }
                    changed.append(path)
                } else if event.mask & UInt32(IN_CREATE) == 0 {
                    changed.append(path)
                }
            }
        }
    }

    /// The saved paths, once no more files are saved for a moment; nil if no wanted file was saved.
    ///
    /// - Parameter limit: After this time, the paths so far are returned, because in some folders files are saved all the time.
    mutating func savedFiles(within limit: Duration = .seconds(1)) -> Set<String>? {
        var paths = Set(changes())
        if paths.isEmpty { return nil }
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            // Made again in each round, because `descriptor` changes when inotify is no longer usable.
            var more = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&more, 1, Self.calm) == 0 { break }
            paths.formUnion(changes())
        }
        return paths
    }

    /// The time in milliseconds without a save after which the saved files are returned.
    private static let calm: Int32 = 100

    // MARK: Without inotify

    /// The properties that change when a file is saved.
    private struct Stamp: Equatable {
        let file: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        /// Reads the properties. Nil if the path isn't that of a regular file.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (file, size) = (status.st_ino, status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// All wanted files.
    private func found() -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        var folders = Array(roots)
        var visited: Set<String> = []
        while let folder = folders.popLast() {
            guard visited.insert(files.resolve(folder) ?? folder).inserted else { continue }
            for name in (try? files.names(folder)) ?? [] {
                let path = FilePath.join(folder, name)
                if files.kind(path) == .directory {
                    if isWanted(path, true) { folders.append(path) }
                } else if isWanted(path, false) {
                    stamps[path] = Stamp(path)
                }
            }
        }
        return stamps
    }

    private mutating func differences() -> [String] {
        let now = found()
        let changed = Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }
        stamps = now
        return changed.sorted()
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

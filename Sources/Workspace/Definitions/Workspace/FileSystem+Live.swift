import Glibc

extension FileSystem {
    /// The file system of this machine.
    package static let live: FileSystem = {
        var files = unchecked
        files.readUnless = { path, limit, objection throws(FileProblem) in
            try LiveFile.read(path, limit: limit) { descriptor in
                do throws(FileProblem) {
                    return objection(try LiveFile.realPath(descriptor, path))
                } catch {
                    return error
                }
            }
        }
        files.access = { path in
            var info = stat()
            guard lstat(path, &info) == 0 else { return nil }
            let isLink = info.st_mode & S_IFMT == S_IFLNK
            return FileAccess(owner: info.st_uid, mode: info.st_mode & 0o7777, isLink: isLink)
        }
        return files
    }()

    private static let unchecked = FileSystem(
        read: { path, limit throws(FileProblem) in try LiveFile.read(path, limit: limit) { _ in nil } },
        kind: { LiveFile.kind($0) },
        names: { path throws(FileProblem) in try LiveFile.names(in: path) },
        resolve: { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        },
        owner: { path in
            var info = stat()
            return stat(path, &info) == 0 ? info.st_uid : nil
        })
}

enum LiveFile {
    static func kind(_ path: String) -> FileSystem.Kind? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return kind(info)
    }

    private static func kind(_ info: stat) -> FileSystem.Kind {
        switch info.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
    }

    static func read(
        _ path: String, limit: Int, unless objection: (_ descriptor: Int32) -> FileProblem?
    ) throws(FileProblem) -> [UInt8] {
        // Non-blocking, because opening a pipe without a writer would wait forever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw problem(errno, path) }
        defer { close(descriptor) }
        if let problem = objection(descriptor) { throw problem }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw problem(errno, path) }
        switch kind(info) {
        case .directory: throw FileProblem(.isDirectory)
        case .other: throw FileProblem(.notRegular)
        case .file: break
        }
        guard info.st_size <= limit else { throw FileProblem(.tooLarge(limit: limit)) }
        return try contents(descriptor, size: Int(info.st_size), limit: limit, path)
    }

    /// The real path of an open file. Another process could replace the file at a path between the check and the use, but not an
    /// open file.
    static func realPath(_ descriptor: Int32, _ path: String) throws(FileProblem) -> String {
        let real = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4097) { buffer -> String? in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/fd/\(descriptor)", start, 4096)
            guard count > 0, count < 4096 else { return nil }
            buffer[count] = 0
            return String(cString: start)
        }
        // Without /proc, the path must still lead to the file that is open.
        guard let found = real ?? FileSystem.live.resolve(path) else { throw problem(errno, path) }
        var (opened, named) = (stat(), stat())
        guard
            real != nil
                || fstat(descriptor, &opened) == 0 && stat(found, &named) == 0
                    && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
        else { throw FileProblem(.replaced) }
        return found
    }

    /// Reads to the end, because a file may be longer than its reported size, for example in `/proc`.
    static func contents(_ descriptor: Int32, size: Int, limit: Int, _ path: String) throws(FileProblem)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var room = size + 1
        while true {
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                repeat { count = Glibc.read(descriptor, buffer.baseAddress, room) } while count < 0 && errno == EINTR
                initialized = max(count, 0)
            }
            if count < 0 { throw problem(errno, path) }
            if count == 0 { return bytes }
            bytes = bytes.isEmpty ? part : bytes + part
            guard bytes.count <= limit else { throw FileProblem(.tooLarge(limit: limit)) }
            room = max(size - bytes.count, 0) + 4096
        }
    }

    static func names(in path: String) throws(FileProblem) -> [String] {
        guard let directory = opendir(path) else {
            throw errno == ENOTDIR ? FileProblem(.notDirectory) : problem(errno, path)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func problem(_ code: Int32, _ path: String) -> FileProblem {
        switch code {
        case ENOENT:
            var info = stat()
            return FileProblem(lstat(path, &info) == 0 ? .brokenLink : .missing)
        // No file can have such a name, so the file is missing.
        case ENOTDIR, ENAMETOOLONG: return FileProblem(.missing)
        case EACCES, EPERM: return FileProblem(.denied)
        case EISDIR: return FileProblem(.isDirectory)
        case ELOOP: return FileProblem(.system("its symbolic links form a cycle"))
        default: return FileProblem(.system(String(cString: strerror(code))))
        }
    }
}

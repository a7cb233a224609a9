import CommandLineKit
import Foundation
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The standard input of this process. It is read only once, even if several requests use it.
enum StandardInput {
    private enum Content {
        case bytes([UInt8])
        case file(NamelessFile, isBracketed: Bool)
    }

    private static let content = Mutex<Result<Content, FileProblem>?>(nil)

    /// All of standard input.
    static func all() throws(FileProblem) -> [UInt8] {
        switch try content(inMemory: .max) {
        case .bytes(let bytes): bytes
        case .file(let file, _): try bytes(of: file.descriptor, at: 0)
        }
    }

    /// All of standard input as a file, if it is larger than a limit. Nil if it is small enough for `all()`.
    static func spooled(above limit: Int) throws(FileProblem) -> SpooledInput? {
        guard case .file(let file, let isBracketed) = try content(inMemory: limit) else { return nil }
        return SpooledInput(path: file.path, isBracketed: isBracketed)
    }

    /// What standard input is, and whether a pipe has bytes. Waits for them at most this long, and reads none.
    static func piped(within timeout: Duration) -> PipedInput {
        var info = stat()
        guard fstat(STDIN_FILENO, &info) == 0 else { return .nothing }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file(isBegun: info.st_size == 0 || lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
        case S_IFIFO, S_IFSOCK: break
        default: return .nothing
        }
        switch content.withLock({ $0 }) {
        case .success(.bytes(let bytes))?: return bytes.isEmpty ? .end : .bytes
        case .success(.file)?: return .bytes
        case .failure?, nil: break
        }
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, Int32(timeout / .milliseconds(1)))
        if count <= 0 { return .silence }
        return descriptor.revents & Int16(POLLIN) == 0 ? .end : .bytes
    }

    private static func content(inMemory limit: Int) throws(FileProblem) -> Content {
        let content = content.withLock { content in
            if let known = content { return known }
            let found = Result { () throws(FileProblem) in try read(inMemory: limit) }
            content = found
            return found
        }
        return try content.get()
    }

    private static func read(inMemory limit: Int) throws(FileProblem) -> Content {
        var beginning: [UInt8] = []
        while beginning.count <= limit {
            guard let chunk = try chunk() else { return .bytes(beginning) }
            beginning += chunk
        }
        let file = try NamelessFile()
        try file.append(beginning[...])
        let first = beginning.first { !$0.isJSONWhitespace }
        var last = beginning.last { !$0.isJSONWhitespace }
        beginning = []
        while let chunk = try chunk() {
            try file.append(chunk)
            last = chunk.last { !$0.isJSONWhitespace } ?? last
        }
        return .file(file, isBracketed: SpooledInput.areBrackets(first, last))
    }

    private static func bytes(of descriptor: Int32, at start: off_t) throws(FileProblem) -> [UInt8] {
        lseek(descriptor, start, SEEK_SET)
        var bytes: [UInt8] = []
        while let chunk = try chunk(of: descriptor) { bytes += chunk }
        return bytes
    }

    /// The next bytes; nil at the end.
    private static func chunk(of descriptor: Int32 = STDIN_FILENO) throws(FileProblem) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count >= 0 { return count == 0 ? nil : chunk[..<count] }
            if errno != EINTR { throw FileProblem(.system(SystemError().text)) }
        }
    }
}

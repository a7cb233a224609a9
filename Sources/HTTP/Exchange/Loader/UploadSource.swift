#if os(Linux)
import Foundation
import RequestBuilding

/// A request body ready to be sent: every file is open and its size known before the first byte goes out.
struct UploadSource: Sendable {
    let pieces: [Piece]
    /// The number of bytes; nil if it is known only at the end of the body.
    let size: Int64?
    /// A body that is produced while it is sent; `pieces` is then empty.
    let feed: BodyFeed?

    enum Piece: Sendable {
        case data(Data)
        case file(OpenFile)

        var size: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(let file): file.size
            }
        }
    }

    /// Opens the files of the body. They must be regular files, because only regular files have a size that can be announced.
    init(_ body: RequestBody) throws(Problem) {
        var pieces: [Piece] = []
        for piece in body.pieces {
            switch piece {
            case .data(let data): pieces.append(.data(data))
            case .file(let path): pieces.append(.file(try OpenFile(path: path)))
            }
        }
        self.pieces = pieces
        self.size = pieces.reduce(0) { $0 + $1.size }
        feed = nil
    }

    init(_ feed: BodyFeed) {
        pieces = []
        size = feed.length.map(Int64.init)
        self.feed = feed
    }

    /// The reason why a body can't be sent.
    struct Problem: Error {
        let reason: String
    }

    /// A file that is open for reading. It is closed when the last reference to it is gone.
    final class OpenFile: Sendable {
        let path: String
        let size: Int64
        private let descriptor: Int32

        init(path: String) throws(Problem) {
            // Without O_NONBLOCK, opening a pipe would wait for its writer. The check below rejects pipes.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw Problem(reason: "\(path): \(String(cString: strerror(errno)))") }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw Problem(reason: "\(path) is not a regular file")
            }
            self.path = path
            self.size = Int64(status.st_size)
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }

        /// Reads at a position; nil if the file can't be read, 0 at its end.
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
            while true {
                let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                if count >= 0 { return count }
                if errno != EINTR { return nil }
            }
        }
    }
}

/// Reads an upload from its beginning. Any upload except a feed can be read several times.
struct UploadReader {
    let source: UploadSource
    /// The reason why reading failed; nil if it did not fail.
    private(set) var problem: String?

    private var index = 0
    private var offset: Int64 = 0

    enum Outcome {
        case read(Int)
        /// No bytes are available yet; more arrive later.
        case nothingYet
        case end
        /// A file or a feed can't be read to its announced size.
        case failed
    }

    init(_ source: UploadSource) {
        self.source = source
    }

    /// True once every byte has been read.
    var isAtEnd: Bool {
        if source.feed != nil { return offset == source.size }
        return index == source.pieces.count || (index == source.pieces.count - 1 && offset == source.pieces[index].size)
    }

    /// Moves to a position that is counted from the beginning; false if that is not possible.
    mutating func seek(to target: Int64) -> Bool {
        if let feed = source.feed { return target == 0 && !feed.hasBegun }
        index = 0
        offset = target
        while index < source.pieces.count, offset > source.pieces[index].size {
            offset -= source.pieces[index].size
            index += 1
        }
        return index < source.pieces.count || offset == 0
    }

    /// Reads into the buffer, at most to the end of one piece.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        if let feed = source.feed { return read(feed, into: buffer) }
        while index < source.pieces.count {
            let piece = source.pieces[index]
            let left = piece.size - offset
            guard left > 0 else {
                index += 1
                offset = 0
                continue
            }
            let count = min(buffer.count, Int(clamping: left))
            switch piece {
            case .data(let data):
                let start = data.startIndex + Int(offset)
                data.copyBytes(
                    to: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: start..<(start + count))
                offset += Int64(count)
                return .read(count)
            case .file(let file):
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                guard let read = file.read(into: part, at: offset) else {
                    problem = "\(file.path): \(String(cString: strerror(errno)))"
                    return .failed
                }
                guard read > 0 else {
                    problem = "\(file.path) became shorter while it was sent"
                    return .failed
                }
                offset += Int64(read)
                return .read(read)
            }
        }
        return .end
    }

    private mutating func read(_ feed: BodyFeed, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        switch feed.read(into: buffer) {
        case .nothingYet: return .nothingYet
        case .read(let count):
            offset += Int64(count)
            return .read(count)
        case .end:
            if let size = source.size, offset < size {
                problem = "the body ended before its announced length"
                return .failed
            }
            return .end
        }
    }
}
#endif

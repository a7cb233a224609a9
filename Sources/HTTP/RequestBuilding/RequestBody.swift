public import Foundation

/// The body of a request.
public enum RequestBody: Hashable, Sendable {
    /// Bytes in memory.
    case data(Data)
    /// A file that is read while it is sent.
    case file(path: String)
    /// Form parts. Parts in files are read while they are sent.
    case multipart(MultipartBody)
}

extension RequestBody {
    /// A part of a body's bytes, in memory or in a file.
    public enum Piece: Hashable, Sendable {
        /// These bytes.
        case data(Data)
        /// All bytes of the file.
        case file(path: String)
    }

    /// The pieces of the body, in the order in which they are sent.
    package var pieces: [Piece] {
        switch self {
        case .data(let data): [.data(data)]
        case .file(let path): [.file(path: path)]
        case .multipart(let multipart): multipart.pieces
        }
    }

    /// Whether bytes are read from files while they are sent.
    package var readsFiles: Bool {
        pieces.contains { if case .file = $0 { true } else { false } }
    }

    /// The bytes, if all of them are in memory.
    public var data: Data? {
        var result = Data()
        for piece in pieces {
            guard case .data(let data) = piece else { return nil }
            result += data
        }
        return result
    }
}

extension RequestBody {
    /// The number of bytes; nil if a file's size is not known.
    package func size(fileSize: (String) -> Int?) -> Int? {
        var total = 0
        for piece in pieces {
            switch piece {
            case .data(let data): total += data.count
            case .file(let path):
                guard let size = fileSize(path) else { return nil }
                total += size
            }
        }
        return total
    }

    /// The size of a file to send. For a link, this is the size of its target. Nil if the file is missing; the transport reports a
    /// missing file.
    package static func size(ofFile path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}

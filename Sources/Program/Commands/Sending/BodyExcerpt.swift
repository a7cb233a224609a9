import Foundation
import ReqcliRedaction
import RequestBuilding

/// The beginning of a request's body as `-v` shows it, without secrets.
enum BodyExcerpt {
    /// The maximum number of bytes that are shown: about a screen.
    static let limit = 2000

    static func lines(of body: RequestBody, _ redactor: Redactor) -> [String] {
        var text = ""
        var room = limit
        var left = 0
        for piece in body.pieces {
            let size = RequestBody.size(of: piece)
            let bytes = room > 0 ? piece.prefix(room + redactor.longest) : []
            guard let part = Excerpt(bytes, room, redactor) else {
                text += "(\(size) bytes that are not text)"
                continue
            }
            text += part.text
            room -= part.count
            left += max(0, size - part.count)
        }
        if left > 0 { text += "… (\(left) more \(left == 1 ? "byte" : "bytes"))" }
        // A line break at the end ends the last line, and doesn't begin another line.
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }

    private struct Excerpt {
        let text: String
        /// The number of bytes of the body that the text shows.
        let count: Int

        /// Nil for bytes that are not text.
        init?(_ bytes: [UInt8], _ room: Int, _ redactor: Redactor) {
            guard !bytes.contains(0) else { return nil }
            let (masked, end) = redactor.redact(bytes, upTo: room)
            let whole = end < bytes.count ? masked.dropLast(TerminalFilter.unfinished(masked)) : masked[...]
            guard let text = String(validating: whole, as: UTF8.self) else { return nil }
            self.text = text
            count = end - (masked.count - whole.count)
        }
    }
}

extension RequestBody {
    fileprivate static func size(of piece: Piece) -> Int {
        switch piece {
        case .data(let data): data.count
        case .file(let path): size(ofFile: path) ?? 0
        }
    }
}

extension RequestBody.Piece {
    /// The first bytes, at most this many. Empty for a file that can't be read, because sending the request reports that error.
    fileprivate func prefix(_ count: Int) -> [UInt8] {
        switch self {
        case .data(let data): return Array(data.prefix(count))
        case .file(let path):
            guard let file = FileHandle(forReadingAtPath: path) else { return [] }
            defer { try? file.close() }
            return (try? file.read(upToCount: count)).map { Array($0) } ?? []
        }
    }
}

import Foundation
import RequestBuilding

/// The way in which curl gets the body.
enum CurlBody {
    case none
    /// Text on the command line.
    case argument(String)
    case file(String)
    /// A body that can't be an argument. Commands of the shell pipe this body to curl.
    case fed([RequestBody.Piece])
    /// Form parts with curl's own boundary, for a shell that can't pipe files.
    case form(MultipartBody)

    var isSent: Bool { if case .none = self { false } else { true } }

    var setsContentType: Bool { if case .form = self { true } else { false } }

    /// Linux limits an argument to 128 KiB including its final NUL. The shell removes the quotes, so they are not included in the
    /// length.
    private static let longestArgument = 131_071

    init(_ body: RequestBody?, for format: CurlFormat) {
        switch body {
        case nil: self = .none
        case .data(let data):
            let isShort = data.count <= Self.longestArgument
            let isOnOneLine = !format.isOneLine || !data.contains(UInt8(ascii: "\n"))
            if isShort, isOnOneLine, !data.contains(0), let text = String(validating: data, as: UTF8.self) {
                self = .argument(text)
            } else {
                self = .fed([.data(data)])
            }
        case .file(let path): self = .file(path)
        case .multipart(let multipart):
            self = format.shell == .powershell ? .form(multipart) : .fed(RequestBody.multipart(multipart).pieces)
        }
    }
}

extension SecretText {
    /// The parts of a piece that is piped to curl.
    mutating func parts(of piece: RequestBody.Piece, for shell: Shell) -> [BodyPiece] {
        switch piece {
        // For curl and cat, "-" is stdin.
        case .file(let path): [.file(path: pieces(of: path == "-" ? "./-" : path))]
        case .data(let data):
            pieces(of: Array(data), canExpand: shell != .powershell).map { part in
                switch part {
                case .bytes(let bytes): .bytes(bytes)
                case .secret(let secret): .secret(secret)
                }
            }
        }
    }
}

extension CurlCommandLine {
    mutating func addBody(_ body: CurlBody) {
        switch body {
        case .none: break
        case .argument(let value): add("--data-raw", value)
        // For curl, "-" alone is stdin.
        case .file(let path):
            let path = path == "-" ? "./-" : path
            files = [text.pieces(of: path)]
            add("--data-binary", "@" + path)
        case .form(let multipart): addForm(multipart)
        case .fed(let pieces): addFed(pieces)
        }
    }

    private mutating func addFed(_ pieces: [RequestBody.Piece]) {
        let parts = pieces.flatMap { text.parts(of: $0, for: format.shell) }
        for case .file(let path) in parts { files.append(path) }
        guard let feed = syntax.feeding(parts) else {
            notes.append("this shell can't pass the body unchanged, so the body is left out")
            return
        }
        before = feed.before
        lines.append("--data-binary \(feed.argument)")
    }

    private mutating func addForm(_ multipart: MultipartBody) {
        notes.append("curl chooses its own boundary for the form, so the bytes between the parts differ")
        for part in multipart.parts {
            switch part.content {
            case .data(let data):
                add("--form-string", "\(part.name)=\(String(decoding: data, as: UTF8.self))")
                if part.contentType != nil || part.filename != nil || data.contains(0) {
                    notes.append("the part \(part.name) loses its file name, its type or its NUL bytes in this shell")
                }
            case .file(let path):
                files.append(text.pieces(of: path))
                var value = "\(part.name)=@\(formQuoted(path))"
                if let filename = part.filename { value += ";filename=\(formQuoted(filename))" }
                if let type = part.contentType { value += ";type=\(type)" }
                add("-F", value)
            }
        }
    }

    /// Quotes a value inside `-F`, with backslashes before quotes and backslashes.
    private func formQuoted(_ text: String) -> String {
        "\"" + syntax.escaping(text) { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } + "\""
    }
}

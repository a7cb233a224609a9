import Foundation
import RequestBuilding

/// How the body gets to curl.
enum CurlBody {
    case none
    /// Text in the command line.
    case argument(String)
    case file(String)
    /// Bytes that can't be an argument, from the shell's own commands.
    case fed([RequestBody.Piece])
    /// Form parts with a boundary of curl's own, for a shell that can't feed files.
    case form(MultipartBody)

    var isSent: Bool { if case .none = self { false } else { true } }

    var setsContentType: Bool { if case .form = self { true } else { false } }
}

extension CurlCommand {
    /// Linux takes no argument of 128 KiB, its closing NUL included. The quoted form is longer, but it is not passed.
    private static let longestArgument = 131_071

    func bodyPlan() -> CurlBody {
        guard let body = message.body else { return .none }
        switch body {
        case .data(let data):
            let isShort = data.count <= Self.longestArgument
            let isOnOneLine = !format.isOneLine || !data.contains(UInt8(ascii: "\n"))
            guard isShort, isOnOneLine, !data.contains(0), let text = String(validating: data, as: UTF8.self) else {
                return .fed([.data(data)])
            }
            return .argument(text)
        case .file(let path): return .file(path)
        case .multipart(let multipart):
            if format.shell == .powershell { return .form(multipart) }
            return .fed(body.pieces)
        }
    }

    mutating func addBody(_ body: CurlBody) {
        switch body {
        case .none: break
        case .argument(let value): add("--data-raw", value)
        // "-" alone would be stdin.
        case .file(let path):
            let path = path == "-" ? "./-" : path
            files = [text.pieces(of: path)]
            add("--data-binary", "@" + path)
        case .form(let multipart): addForm(multipart)
        case .fed(let pieces): addFed(pieces)
        }
    }

    private mutating func addFed(_ pieces: [RequestBody.Piece]) {
        let canExpand = format.shell != .powershell
        let parts = pieces.flatMap { piece -> [BodyPiece] in
            switch piece {
            case .file(let path):
                // To curl and to cat "-" is standard input.
                let path = text.pieces(of: path == "-" ? "./-" : path)
                files.append(path)
                return [.file(path: path)]
            case .data(let data):
                return text.pieces(of: Array(data), canExpand: canExpand).map { part in
                    switch part {
                    case .bytes(let bytes): .bytes(bytes)
                    case .secret(let secret): .secret(secret)
                    }
                }
            }
        }
        guard let feed = syntax.feeding(parts) else {
            notes.append("this shell has no way to pass the body on byte for byte: it is left out")
            return
        }
        before = feed.before
        lines.append("--data-binary \(feed.argument)")
    }

    private mutating func addForm(_ multipart: MultipartBody) {
        notes.append("curl chooses a boundary of its own for the form, so the bytes between its parts differ")
        for part in multipart.parts {
            switch part.content {
            case .data(let data):
                add("--form-string", "\(part.name)=\(String(decoding: data, as: UTF8.self))")
                if part.contentType != nil || part.filename != nil || data.contains(0) {
                    notes.append("the part \(part.name) can't keep its file name, its type or its NULs in this shell")
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

    /// Inside `-F` a value may be quoted, with backslashes before quotes and backslashes.
    private func formQuoted(_ text: String) -> String {
        "\"" + syntax.escaping(text) { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } + "\""
    }
}

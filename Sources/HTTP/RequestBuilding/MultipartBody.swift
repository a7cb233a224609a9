import Foundation
import ReqcliBasics

/// A `multipart/form-data` body with a fixed boundary, so that the same body always has the same bytes.
public struct MultipartBody: Hashable, Sendable {
    /// The string that separates the parts.
    public let boundary: String
    /// The parts in the order in which they are sent.
    public let parts: [Part]

    /// A body with the given boundary, or with one that is made from the names of the parts and does not occur in their
    /// content.
    ///
    /// This initializer does not read files. ``RequestBuilder/makeRequest(baseURL:)`` checks a given boundary.
    public init(boundary: String? = nil, parts: [Part]) {
        self.boundary = boundary ?? Self.boundary(for: parts)
        self.parts = parts
    }

    /// One field or file of the form.
    public struct Part: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// The file name that is sent to the server.
        public let filename: String?
        /// The part's own Content-Type.
        public let contentType: String?
        /// The part's bytes.
        public let content: RequestBody.Piece

        /// A part with its bytes in memory or in a file.
        public init(name: String, filename: String? = nil, contentType: String? = nil, content: RequestBody.Piece) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = content
        }

        /// A text field, which may have a file name. Unless a type is given, the file name decides the type.
        public static func text(
            _ name: String, _ value: String, filename: String? = nil, contentType: String? = nil
        ) -> Part {
            Part(
                name: name, filename: filename,
                contentType: contentType ?? filename.flatMap(Self.contentType(ofFileNamed:)),
                content: .data(Data(value.utf8)))
        }

        /// A file. Unless a file name is given, the name of the file is sent. Unless a type is given, the file name decides the
        /// type.
        public static func file(
            _ name: String, path: String, filename: String? = nil, contentType: String? = nil
        ) -> Part {
            let own = path.split(separator: "/").last.map(String.init) ?? path
            return Part(
                name: name, filename: filename ?? own,
                contentType: contentType ?? filename.flatMap(Self.contentType(ofFileNamed:))
                    ?? Self.contentType(ofFileNamed: own) ?? "application/octet-stream",
                content: .file(path: path))
        }

        /// The Content-Type that curl sends for a file of this name; nil if curl has no type for the name.
        package static func contentType(ofFileNamed name: String) -> String? {
            let name = name.asciiLowercased
            return typesByEnding.first { name.hasSuffix($0.ending) }?.type
        }

        private static let typesByEnding: [(ending: String, type: String)] = [
            (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".png", "image/png"),
            (".svg", "image/svg+xml"), (".txt", "text/plain"), (".htm", "text/html"), (".html", "text/html"),
            (".pdf", "application/pdf"), (".xml", "application/xml"),
        ]
    }

    /// The Content-Type of this body, with its boundary.
    package var contentType: String { addingBoundary(to: "multipart/form-data") }

    /// The given Content-Type with this body's boundary added.
    func addingBoundary(to type: String) -> String {
        let isToken = boundary.unicodeScalars.allSatisfy(HTTPSyntax.isTokenScalar)
        var type = Substring(type)
        while let last = type.utf8.last, last == UInt8(ascii: ";") || last == UInt8(ascii: " ") { type.removeLast() }
        return "\(type); boundary=" + (isToken ? boundary : "\"\(boundary)\"")
    }

    /// The boundary in a Content-Type, whatever type that is.
    static func boundary(inContentType type: String) -> String? {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in type.utf8 {
            if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append([])
                continue
            }
            // Quotes are removed, and so is the backslash before an escaped character.
            if !isEscaped, byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted, !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            } else {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = false
        }
        let texts = parts.map { String(decoding: $0.trimmingSpacesAndTabs, as: UTF8.self) }
        let mark = "boundary="
        return texts.dropFirst().first { $0.asciiLowercased.hasPrefix(mark) }
            .map { String($0.dropFirst(mark.utf8.count)) }
    }

    /// The body as it is sent. Bytes in memory that follow each other form one piece.
    package var pieces: [RequestBody.Piece] {
        var result: [RequestBody.Piece] = []
        var pending = Data()
        for part in parts {
            pending += Data((delimiter + part.head).utf8)
            switch part.content {
            case .data(let data):
                pending += data
            case .file:
                result += [.data(pending), part.content]
                pending = Data()
            }
            pending += Data("\r\n".utf8)
        }
        pending += Data("--\(boundary)--\r\n".utf8)
        return result + [.data(pending)]
    }

    private var delimiter: String { "--\(boundary)\r\n" }
}

extension MultipartBody.Part {
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        if let contentType { head += "\r\nContent-Type: \(contentType)" }
        return head + "\r\n\r\n"
    }

    /// Escapes the three characters that would end the quoted name, as browsers do.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text that ``escaped(_:)`` has escaped.
    package static func unescaped(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

// MARK: - The boundary

extension MultipartBody {
    /// The reason why the body cannot be sent; nil if it can.
    var problem: String? {
        let others = " '()+_,-./:=?"
        let isSpelt = boundary.unicodeScalars.allSatisfy {
            (HTTPSyntax.isTokenScalar($0) && ("a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0))
                || others.unicodeScalars.contains($0)
        }
        if !isSpelt || !(1...70).contains(boundary.utf8.count) || boundary.hasSuffix(" ") {
            return "\(quoted(boundary)) is not a boundary: expected 1 to 70 letters, digits and '()+_,-./:=? "
        }
        let mark = Data("--\(boundary)".utf8)
        for part in parts {
            if [part.name, part.filename ?? ""].contains(where: { $0.utf8.contains(0) }) {
                return "the part \(quoted(part.name)) has NUL in its name"
            }
            if let type = part.contentType, let problem = HTTPSyntax.problem(withHeaderValue: type) {
                return "the Content-Type of part \(quoted(part.name)): \(problem)"
            }
            if case .data(let data) = part.content, data.range(of: mark) != nil {
                return "the boundary \(quoted(boundary)) occurs in part \(quoted(part.name)): choose another"
            }
        }
        return nil
    }

    private static func boundary(for parts: [Part]) -> String {
        var hash = FNV()
        for part in parts {
            for text in [part.name, part.filename, part.contentType] { hash.add((text ?? "\0").utf8) }
            switch part.content {
            // The content is not hashed: it may be a secret, which could be guessed from its hash.
            case .data: break
            // The folder is not hashed, so that a file has the same boundary from any folder.
            case .file(let path): hash.add((path.split(separator: "/").last ?? "").utf8)
            }
        }
        // If the boundary occurs in a part, another one is made.
        while true {
            let boundary = "boundary-\(hash.text)"
            let mark = Data(boundary.utf8)
            let isTaken = parts.contains { part in
                if case .data(let data) = part.content { data.range(of: mark) != nil } else { false }
            }
            if !isTaken { return boundary }
            hash.add("again".utf8)
        }
    }

    /// The hash FNV-1a, which is the same in every run, unlike `Hasher`.
    private struct FNV {
        private var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }

        var text: String {
            let hex = String(value, radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }
    }
}

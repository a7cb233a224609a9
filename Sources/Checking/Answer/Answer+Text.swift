import ContentCoding
import Definitions
import RequestBuilding

/// The reason why the body of a response can't be checked as text.
enum UnreadableBody: Error, Equatable {
    case missing(because: String)
    case unknownCoding(String)
    case damaged
    case cutOff
    case noLibrary
    case tooLarge(limit: Int, isDecompressed: Bool)
    case unknownCharset(String)
    /// The bytes are not valid in their charset.
    case invalid(charset: String, isNamed: Bool)

    /// The text after "found" in a failure.
    func phrase(_ excerpts: Excerpts) -> String {
        func quoted(_ name: String) -> String { excerpts.text(String(name.prefix(30))) }
        let reason: String
        switch self {
        case .missing(let cause): return "no body to check: \(cause) has none"
        case .unknownCoding(let name): reason = "its Content-Encoding is \(quoted(name)), not gzip or deflate"
        case .damaged: reason = "it is not valid for its Content-Encoding"
        case .cutOff: reason = "it is cut off before its Content-Encoding ends"
        case .noLibrary: reason = "it is compressed, and zlib (libz.so.1) is not installed"
        case .tooLarge(let limit, let isDecompressed):
            reason =
                "\(isDecompressed ? "decompressed " : "")it is larger than \(ByteCount(limit)); --max-body allows more"
        case .unknownCharset(let name): reason = "its charset is \(quoted(name)), which reqcli doesn't know"
        case .invalid(let charset, let isNamed):
            reason = "it is not valid \(charset)\(isNamed ? "" : ", and its Content-Type names no charset")"
        }
        return "a body that can't be checked: \(reason)"
    }
}

extension Answer {
    /// The body as UTF-8 text, with its content codings and charset decoded.
    var text: Result<[UInt8], UnreadableBody> {
        content.flatMap { bytes in
            if String(validating: bytes, as: UTF8.self) != nil { return .success(bytes) }
            return .failure(.invalid(charset: Charset.utf8.name, isNamed: charsetName != nil))
        }
    }

    /// The body as messages and reports show it: as text or, if it is not text, as bytes.
    var shownBody: [UInt8] { (try? content.get()) ?? body.bytes }

    /// The computation behind `content`.
    func decoded() -> Result<[UInt8], UnreadableBody> {
        if let cause = reasonForNoBody { return .failure(.missing(because: cause)) }
        if body.isTooLarge { return .failure(.tooLarge(limit: body.limit, isDecompressed: false)) }
        var bytes = body.bytes
        do throws(ContentCodingProblem) {
            let codings = isDecoded ? [] : headers.values("Content-Encoding")
            if !codings.isEmpty { bytes = try ContentCoding.decode(bytes, codings, limit: body.limit) }
        } catch {
            return .failure(UnreadableBody(error, limit: body.limit))
        }
        guard let name = charsetName else {
            let charset = Charset(markedIn: bytes)
            guard let text = charset.utf8(of: bytes) else {
                return .failure(.invalid(charset: charset.name, isNamed: false))
            }
            return .success(text)
        }
        guard let charset = Charset(named: name) else { return .failure(.unknownCharset(name)) }
        guard let text = charset.utf8(of: bytes) else {
            return .failure(.invalid(charset: charset.name, isNamed: true))
        }
        return .success(text)
    }

    /// The reason why the response has no body, by RFC 9110, section 6.4.1; nil if it may have one.
    private var reasonForNoBody: String? {
        if method == "HEAD" { return "a response to HEAD" }
        return status == 204 || status == 304 ? "a response with status \(status)" : nil
    }

    /// The `charset` parameter of `Content-Type`.
    private var charsetName: String? {
        guard let type = headers["Content-Type"]?.utf8, let end = type.firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        // No charset has a semicolon in its name, so a quoted one may be split too.
        for parameter in type[end...].split(separator: UInt8(ascii: ";")) {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1).map { part in
                String(decoding: part.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
            }
            if parts.count == 2, parts[0].lowercased() == "charset", !parts[1].isEmpty { return parts[1] }
        }
        return nil
    }
}

extension UnreadableBody {
    fileprivate init(_ problem: ContentCodingProblem, limit: Int) {
        switch problem.kind {
        case .unknown(let name): self = .unknownCoding(name)
        case .damaged: self = .damaged
        case .cutOff: self = .cutOff
        case .noLibrary: self = .noLibrary
        case .tooLarge: self = .tooLarge(limit: limit, isDecompressed: true)
        }
    }
}

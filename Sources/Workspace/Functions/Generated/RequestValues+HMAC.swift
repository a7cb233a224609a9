import ReqcliBasics
import ReqcliText
@_spi(Generated) public import RequestBuilding

/// A piece of a text that a signature of generated Swift signs or adds.
@_spi(Generated) public struct SignedPiece: ExpressibleByStringLiteral, Sendable {
    fileprivate enum Content {
        case text(String)
        case placeholder(String, [JSONLiteral?], name: String)
    }

    fileprivate let content: Content

    /// A text.
    public init(stringLiteral value: String) { content = .text(value) }

    private init(_ content: Content) { self.content = content }

    /// A value that the request had when it was made.
    public static func text(_ text: String) -> SignedPiece { SignedPiece(.text(text)) }

    /// A value that is known when the request is signed, such as `$body | sha256 | hex`.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder as files write it, without its braces.
    ///   - inputs: The values of the names in it that are not parts of the request, in their order.
    ///   - name: The placeholder's file, and its path in this file, from which random values are made.
    public static func placeholder(
        _ placeholder: String, _ inputs: [JSONLiteral?] = [], at name: String = ""
    ) -> SignedPiece {
        SignedPiece(.placeholder(placeholder, inputs, name: name))
    }
}

extension RequestValues {
    /// A signer that adds an HMAC to requests. The words are those of `"hmac"` in files.
    @_spi(Generated) public func hmac(
        _ algorithm: String, key: String, keyEncoding: String, encoding: String, sign: [SignedPiece],
        headers: KeyValuePairs<String, [SignedPiece]> = [:], query: KeyValuePairs<String, [SignedPiece]> = [:]
    ) throws -> RequestSigner {
        guard let algorithm = HashAlgorithm(rawValue: algorithm), let encoding = SignatureEncoding(rawValue: encoding),
            let key = KeyEncoding(rawValue: keyEncoding)?.key(key)
        else { throw PlaceholderFailure(placeholder: RequestWord.signature, reason: "the key is not \(keyEncoding)") }
        func carriers(_ all: KeyValuePairs<String, [SignedPiece]>) throws -> [HMACSignature<SignedText>.Carrier] {
            try all.map { name, pieces in
                let text = try SignedText(pieces, self)
                return .init(name, text, usesSignature: text.usesSignature)
            }
        }
        let signature = HMACSignature(
            algorithm, key: key, encoding, of: try SignedText(sign, self), headers: try carriers(headers),
            query: try carriers(query))
        return RequestSigner { request, time in
            try signature.signed(request) { text, parts, _ in try text.bytes(of: parts, at: time) }
        }
    }
}

/// A text with the values that it had when the request was made.
private struct SignedText: Sendable {
    enum Piece {
        case text(String)
        case placeholder(FilledPlaceholder)
    }

    let pieces: [Piece]

    init(_ pieces: [SignedPiece], _ values: RequestValues) throws {
        self.pieces = try pieces.map { piece in
            switch piece.content {
            case .text(let text): .text(text)
            case .placeholder(let text, let inputs, let name):
                .placeholder(try FilledPlaceholder(text, inputs, seeded: values.seededBytes(placeholder: name)))
            }
        }
    }

    var usesSignature: Bool {
        pieces.contains {
            if case .placeholder(let one) = $0 { one.names.contains(RequestWord.signature) } else { false }
        }
    }

    func bytes(of parts: SignedParts, at time: Double) throws -> [UInt8] {
        try pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .text(let text): return Array(text.utf8)
            case .placeholder(let placeholder):
                // A body is signed as it is, even if it isn't text.
                if placeholder.text == RequestWord.body, let body = parts.body { return body }
                let value = try placeholder.value(at: time) { try Self.value(of: $0, parts, at: time) }
                guard let json = value.json else {
                    throw PlaceholderFailure(placeholder: placeholder.text, reason: "has no value")
                }
                return Array(json.plainText.utf8)
            }
        }
    }

    private static func value(
        of name: String, _ parts: SignedParts, at time: Double
    ) throws -> FilledPlaceholder.Value? {
        switch name {
        case "$timestamp": return .init(json: .int(Int(time.rounded(.down))))
        case "$isoTimestamp": return .init(json: .string(Timestamp.iso8601(time)))
        case RequestWord.body where parts.body == nil:
            throw PlaceholderFailure(placeholder: name, reason: "the body is read from files while it is sent")
        default:
            guard RequestWord.isOne(name) else { return nil }
            let bytes = name == RequestWord.body ? parts.binaryBody : nil
            return .init(json: parts.text(name).map { .string($0) }, bytes: bytes)
        }
    }
}

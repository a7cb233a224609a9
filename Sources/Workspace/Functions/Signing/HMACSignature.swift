import Foundation
package import ReqcliBasics
package import RequestBuilding

/// A signature (HMAC) of parts of a request. `Text` is a text that has placeholders for these parts.
package struct HMACSignature<Text: Sendable>: Sendable {
    /// A header or a query item that the signature adds.
    package struct Carrier: Sendable {
        let name: String
        let value: Text
        let usesSignature: Bool

        package init(_ name: String, _ value: Text, usesSignature: Bool) {
            (self.name, self.value, self.usesSignature) = (name, value, usesSignature)
        }
    }

    private let algorithm: HashAlgorithm
    private let key: [UInt8]
    private let encoding: SignatureEncoding
    private let text: Text
    private let headers: [Carrier]
    private let query: [Carrier]

    package init(
        _ algorithm: HashAlgorithm, key: [UInt8], _ encoding: SignatureEncoding, of text: Text, headers: [Carrier],
        query: [Carrier]
    ) {
        (self.algorithm, self.key, self.encoding) = (algorithm, key, encoding)
        (self.text, self.headers, self.query) = (text, headers, query)
    }

    /// Signs a request.
    ///
    /// - Parameter fill: Returns the bytes of a text. It may note the secrets that the text contains.
    package func signed(
        _ request: PreparedRequest,
        _ fill: (_ text: Text, _ parts: SignedParts, _ signed: inout SignedRequest) throws -> [UInt8]
    ) throws -> SignedRequest {
        var signed = SignedRequest(request)
        func set(_ signed: inout SignedRequest, _ parts: SignedParts) throws {
            let usesSignature = parts.signature != nil
            for header in headers where header.usesSignature == usesSignature {
                let value = try fill(header.value, parts, &signed)
                try signed.set(header: header.name, String(decoding: value, as: UTF8.self))
            }
            for item in query where item.usesSignature == usesSignature {
                let value = try fill(item.value, parts, &signed)
                signed.set(queryItem: item.name, String(decoding: value, as: UTF8.self))
            }
        }
        // Headers and items without the signature can be signed themselves.
        try set(&signed, SignedParts(request))
        var parts = SignedParts(signed.request)
        signed.text = try fill(text, parts, &signed)
        let signature = encoding.text(of: algorithm.code(of: signed.text, key: key))
        parts.signature = signature
        signed.secrets.append(("signature", signature))
        try set(&signed, parts)
        return signed
    }
}

/// How a signature is written.
package enum SignatureEncoding: String, CaseIterable, Sendable {
    case hex, base64, base64url

    func text(of bytes: [UInt8]) -> String {
        switch self {
        case .hex: bytes.hex
        case .base64: Data(bytes).base64EncodedString()
        case .base64url: Base64.encodeForURL(bytes)
        }
    }
}

/// How the key of a signature is written.
package enum KeyEncoding: String, CaseIterable, Sendable {
    case utf8, base64, hex

    /// The key; nil if the text is not written in this way.
    package func key(_ text: String) -> [UInt8]? {
        switch self {
        case .utf8: Array(text.utf8)
        case .base64: Base64.decode(text.replacing("-", with: "+").replacing("_", with: "/"))
        case .hex: [UInt8](hex: text)
        }
    }
}

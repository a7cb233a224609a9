package import ReqcliBasics
package import ReqcliFunctions
import ReqcliText

/// The value of `"hmac"`: what is signed, how, and where the signature goes.
package struct HMACTemplate: Sendable {
    package private(set) var algorithm = HashAlgorithm.sha256
    package private(set) var key: ValueTemplate
    package private(set) var keyEncoding = KeyEncoding.utf8
    package private(set) var sign: TextTemplate
    package private(set) var encoding = SignatureEncoding.hex
    package private(set) var headers: [Named<TextTemplate>] = []
    package private(set) var query: [Named<TextTemplate>] = []

    var values: [ValueTemplate] { [key] + ([sign] + headers.map(\.value) + query.map(\.value)).map { .text($0) } }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        func members(_ all: [Named<TextTemplate>]) -> OrderedJSON? {
            all.isEmpty ? nil : .object(all.map { OrderedJSON.Member($0.name, .string($0.value.source)) })
        }
        return .object([
            "algorithm": .string(algorithm.rawValue), "key": text("key", key),
            "keyEncoding": keyEncoding == .utf8 ? nil : .string(keyEncoding.rawValue), "sign": .string(sign.source),
            "encoding": encoding == .hex ? nil : .string(encoding.rawValue), "headers": members(headers),
            "query": members(query),
        ])
    }

    static let table = ObjectShape<HMACTemplate>(
        "hmac", title: "\"hmac\"", summary: "A signature (HMAC) of parts of the request.",
        [
            Field(
                "algorithm", Shape<HashAlgorithm>.word(of: [.sha1, .sha256, .sha512]),
                "The hash: sha1, sha256 (the default) or sha512."
            ) { $0.algorithm = $1 },
            Field("key", .scalarValue, required: true, "The key, as a placeholder for a secret.") { $0.key = $1 },
            Field(
                "keyEncoding", Shape<KeyEncoding>.word, "How the key is written: utf8 (the default), base64 or hex."
            ) { $0.keyEncoding = $1 },
            Field(
                "sign", Shape<TextTemplate>.template.knowing(.request), required: true,
                "The text that is signed, with placeholders for parts of the request such as {{$method}} and {{$body}}."
            ) { $0.sign = $1 },
            Field(
                "encoding", Shape<SignatureEncoding>.word,
                "How the signature is written: hex (the default), base64 or base64url."
            ) { $0.encoding = $1 },
            Field(
                "headers",
                .dictionary(
                    of: .template.knowing(.signature), keys: .headerName, ignoringCase: true,
                    expects: "an object of header names and texts"),
                "Headers that the signature adds, with the placeholder {{$signature}}."
            ) { $0.headers = $1 },
            Field(
                "query",
                .dictionary(
                    of: .template.knowing(.signature), keys: .plainName("a query item"),
                    expects: "an object of query names and texts"),
                "Query items that the signature adds, with the placeholder {{$signature}}."
            ) { $0.query = $1 },
        ], rules: [.atLeastOne(["headers", "query"])],
        initial: { value in
            let empty = TextTemplate(literal: "", at: value.place)
            return HMACTemplate(key: .text(empty), sign: empty)
        },
        check: { template, value, decoding in
            let texts = template.headers + template.query
            guard !texts.isEmpty, !texts.contains(where: { $0.value.usesSignature }) else { return }
            decoding.report(
                .valueInvalid, "\"hmac\" sends no signature: no header and no query item has {{$signature}}",
                at: value.headPlace, hint: #"write "headers": {"X-Signature": "{{$signature}}"}"#)
        })
}

extension TextTemplate {
    /// Whether the text contains the signature.
    package var usesSignature: Bool { mentions(RequestWord.signature) }

    /// Whether a placeholder names a part of the request.
    package func mentions(_ word: String) -> Bool { placeholders.contains { $0.value == .name(word) } }
}

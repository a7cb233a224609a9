import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

extension Function {
    private static let plain: ValueTypes = [.scalar, .bytes]

    static let encodings: [Function] = [
        Function("base64", plain, .text, "Base64 with padding", "{{blob | base64}}") { value, _ in
            .text(Data(value.bytes).base64EncodedString())
        }.inShell("base64 | tr -d '\\n'"),
        Function("base64url", plain, .text, "Base64 for URLs, without padding", "{{blob | base64url}}") { value, _ in
            .text(Base64.encodeForURL(value.bytes))
        }.inShell("base64 | tr -d '=\\n' | tr +/ -_"),
        Function(
            "fromBase64", .text, .bytes, "The bytes of base64 of either kind, with or without padding",
            "{{blob | fromBase64 | utf8}}"
        ) { value, _ throws(FunctionProblem) in
            let standard = swapped(Array(value.text.utf8), ["-": "+", "_": "/"])
            guard let bytes = Base64.decode(standard) else { throw FunctionProblem("takes base64; the text is none") }
            return .bytes(bytes)
        },
        Function("hex", plain, .text, "Two lowercase hex digits for each byte", "{{blob | hex}}") { value, _ in
            .text(value.bytes.hex)
        }.inShell("od -An -v -tx1 | tr -d ' \\n'"),
        Function("fromHex", .text, .bytes, "The bytes of hex digits", "{{blob | fromHex | base64}}") {
            value, _ throws(FunctionProblem) in
            guard let bytes = [UInt8](hex: value.text) else {
                throw FunctionProblem("takes pairs of hex digits; the text has something else")
            }
            return .bytes(bytes)
        },
        Function("url", .scalar, .text, "Percent-encoded as one component of a URL", "{{term | url}}") { value, _ in
            .text(PercentEncoding.queryComponent(value.text))
        },
        Function("fromURL", .text, .text, "Percent-decoded", "{{term | fromURL}}") {
            value, _ throws(FunctionProblem) in
            return try utf8(percentDecoded(value.text))
        },
        Function("form", .scalar, .text, "Encoded as in a form, with + for a space", "{{term | form}}") { value, _ in
            .text(PercentEncoding.queryComponent(value.text).replacing("%20", with: "+"))
        },
        Function("json", .json, .text, "JSON on one line", "{{order | json | sha256 | hex}}") { value, _ in
            if case .json(let json) = value { .text(json.compact) } else { nil }
        },
        Function("fromJSON", .text, .json, "The value of JSON text", "{{text | fromJSON | at '$.id'}}") {
            value, _ throws(FunctionProblem) in
            guard let json = OrderedJSON(parsing: value.text) else { throw FunctionProblem("the text is not JSON") }
            return .json(json)
        },
        Function("utf8", .bytes, .text, "Bytes as text", "{{blob | fromHex | utf8}}") {
            value, _ throws(FunctionProblem) in
            return try utf8(value.bytes)
        },
    ]

    private static func swapped(_ text: [UInt8], _ letters: [Unicode.Scalar: Unicode.Scalar]) -> String {
        String(
            decoding: text.map { byte in letters[Unicode.Scalar(byte)].map { UInt8(ascii: $0) } ?? byte }, as: UTF8.self
        )
    }

    private static func percentDecoded(_ text: String) -> [UInt8] {
        Array(text.utf8).withUnsafeBufferPointer { $0.percentDecoded }
    }

    private static func utf8(_ bytes: [UInt8]) throws(FunctionProblem) -> FunctionValue {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FunctionProblem("the bytes are not UTF-8 text")
        }
        return .text(text)
    }

    static let hashes: [Function] =
        HashAlgorithm.allCases.map { hash in
            Function(
                hash.rawValue, plain, .bytes, "\(hash.title) of bytes or of text as UTF-8",
                "{{text | \(hash.rawValue) | hex}}"
            ) { value, _ in .bytes(hash.hash(value.bytes)) }.inShell("openssl dgst -\(hash.rawValue) -binary")
        }
        + [.sha1, .sha256, .sha512].map { (hash: HashAlgorithm) in
            let name = "hmac\(hash.rawValue.uppercased())"
            return Function(
                name, with: [Parameter("KEY", .text)], plain, .bytes, "HMAC with \(hash.title)",
                "{{text | \(name) secret.key | hex}}"
            ) { value, arguments in .bytes(hash.code(of: value.bytes, key: arguments[0].bytes)) }
            // Like each secret in the command, the key is an argument of a program, which other users of the machine may see.
            .inShell("openssl dgst -\(hash.rawValue) -binary -hmac")
        }
}

extension HashAlgorithm {
    fileprivate var title: String {
        self == .md5 ? "MD5" : "SHA-" + rawValue.dropFirst(3)
    }
}

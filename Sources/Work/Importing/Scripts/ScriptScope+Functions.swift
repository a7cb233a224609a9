import ReqcliFunctions
import ReqcliText

extension ScriptScope {
    /// The functions for those of the languages and libraries that scripts use.
    private static let functions = ["btoa": "base64", "encodeURIComponent": "url"]
    private static let times = [
        "toISOString": "iso", "toJSON": "iso", "getTime": "unixMillis", "valueOf": "unixMillis", "now": "unixMillis",
    ]
    private static let hashes = [
        "MD5": "md5", "SHA1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512",
        "HmacSHA1": "hmacSHA1", "HmacSHA256": "hmacSHA256", "HmacSHA512": "hmacSHA512",
    ]
    private static let encodings = ["CryptoJS.enc.Hex": "hex", "CryptoJS.enc.Base64": "base64"]

    /// The placeholder with functions that makes the value of an expression such as `btoa(name)`.
    func computed(_ expression: ScriptExpression) -> String? {
        guard case .call(let callee, let arguments) = expression else { return nil }
        if let function = callee.dotted.flatMap({ Self.functions[$0] }), arguments.count == 1 {
            return source(arguments[0]).map { "\($0) | \(function)" }
        }
        guard case .member(let base, .string(let method)) = callee else { return nil }
        if let time = Self.times[method], arguments.isEmpty,
            method == "now" ? base.dotted == "Date" : base.isNewDate
        {
            return "$now | \(time)"
        }
        switch (method, arguments.count) {
        case ("toString", 0): return hash(base).map { "\($0) | hex" }
        case ("toString", 1): return encoded(base, arguments[0])
        case ("stringify", 1): return encoded(arguments[0], base)
        default: return nil
        }
    }

    private func encoded(_ hash: ScriptExpression, _ encoding: ScriptExpression) -> String? {
        guard let function = encoding.dotted.flatMap({ Self.encodings[$0] }) else { return nil }
        return self.hash(hash).map { "\($0) | \(function)" }
    }

    /// `CryptoJS.SHA256(text)` or `CryptoJS.HmacSHA256(text, key)`.
    private func hash(_ expression: ScriptExpression) -> String? {
        guard case .call(.member(.name("CryptoJS"), .string(let name)), let arguments) = expression,
            let function = Self.hashes[name], let text = arguments.first.flatMap({ source($0) })
        else { return nil }
        guard name.hasPrefix("Hmac") else { return arguments.count == 1 ? "\(text) | \(function)" : nil }
        guard arguments.count == 2, case .string(let key)? = operand(arguments[1].textOfBytes) else { return nil }
        // A literal key is a secret, which must not be written to a file.
        return TemplateText(key).content.flatMap { Pipeline.reading($0) == nil ? "\(text) | \(function) \($0)" : nil }
    }

    /// The value that functions begin with: a variable, or what other functions make.
    private func source(_ expression: ScriptExpression) -> String? {
        guard case .string(let text)? = operand(expression.textOfBytes) else { return nil }
        return TemplateText(text).content
    }
}

extension ScriptExpression {
    fileprivate var isNewDate: Bool {
        if case .call(.name("new Date"), _) = self { true } else { false }
    }

    /// The text whose bytes the expression is.
    fileprivate var textOfBytes: ScriptExpression { argument(of: "CryptoJS.enc.Utf8.parse") ?? self }
}

extension TemplateText {
    /// The content of the placeholder that is the whole text.
    fileprivate var content: String? {
        if pieces.count == 1, case .placeholder(let content) = pieces[0] { content } else { nil }
    }

    /// Whether the whole text is a value that functions make.
    var isComputed: Bool { content.map { Pipeline.reading($0) != nil } ?? false }
}

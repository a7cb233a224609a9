import ReqcliBasics
import ReqcliText

package enum HTTPMethods {
    package static let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// The known method that a word was probably meant as; nil if the word is one itself, or like none.
    package static func standard(near word: String) -> String? {
        let upper = word.uppercased()
        return known.contains(upper) ? nil : NearNames.nearest(to: upper, among: known).first
    }

    /// Matches tokens, except CONNECT and known methods that are not in upper case.
    static let pattern: String = {
        let misspelt = known.map { "(?!\($0)$)\(anyCase($0))$" }
        return "^(?!\(anyCase("CONNECT"))$" + misspelt.map { "|\($0)" }.joined() + ")[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
    }()

    /// Matches a word in any case. The regular expressions of JSON Schema have no flag to ignore case.
    private static func anyCase(_ word: String) -> String {
        word.map { "[\($0)\($0.lowercased())]" }.joined()
    }
}

extension Shape where Value == String {
    /// A method that a client can send: any token in its exact spelling, except CONNECT.
    static let method = Shape(
        expects: "a method such as \"GET\"", schema: .text(pattern: HTTPMethods.pattern)
    ) { value, decoding in
        guard let text = value.string, text.isToken else {
            decoding.mismatch(value, expects: "a method such as \"GET\"")
            return nil
        }
        let upper = text.uppercased()
        if upper == "CONNECT" {
            decoding.report(
                .valueInvalid, "reqcli can't send CONNECT, which asks a proxy for a tunnel", at: value.place)
            return nil
        }
        if text != upper, HTTPMethods.known.contains(upper) {
            decoding.mismatch(
                value, expects: "a method in its exact spelling", code: .valueUnknown,
                hint: "did you mean \"\(upper)\"?")
            return nil
        }
        if let near = HTTPMethods.standard(near: text) {
            decoding.diagnostics.add(
                Diagnostic(
                    .warning, code: .valueUnknown, "\"\(text)\" is not a standard method", at: value.place,
                    hint: "did you mean \"\(near)\"?"))
        }
        return text
    }
}

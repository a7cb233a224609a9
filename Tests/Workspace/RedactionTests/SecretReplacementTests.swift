import Foundation
import ReqcliRedaction
import TestSupport
import Testing

/// Stand-ins for secrets, which are alike in every form of the secret.
@Suite struct SecretReplacementTests {
    private static let secret = "Sup3r-S\"cret/é+&"

    private func replacement() -> SecretReplacement {
        SecretReplacement([Redactor.Secret(label: "secret.s", value: Self.secret)])
    }

    private func percent(_ text: String) -> String { text.utf8.map { String(format: "%%%02X", $0) }.joined() }

    private func json(_ text: String) -> String {
        text.utf16.map { unit in
            switch unit {
            case 0x22: #"\""#
            case ..<0x80: String(UnicodeScalar(UInt8(unit)))
            default: String(format: #"\u%04x"#, unit)
            }
        }.joined()
    }

    @Test("a stand-in has the same length and kinds of characters, and no letter or digit of its secret")
    func standIn() throws {
        let standIn = replacement().standIn(for: Self.secret)
        #expect(standIn.utf8.count == Self.secret.utf8.count)
        let pattern = try Regex(#"[A-Z][a-z][a-z][0-9][a-z][._~][A-Z]"[a-z]{4}/[^\x00-\x7F]\+&"#)
        #expect(standIn.wholeMatch(of: pattern) != nil, "\(standIn)")
        for (old, new) in zip(Self.secret, standIn) where old.isLetter || old.isNumber { #expect(old != new) }
    }

    @Test("each form of a secret becomes the same form of its stand-in")
    func forms() {
        let replacement = replacement()
        let standIn = replacement.standIn(for: Self.secret)
        func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let forms: [(String, (String) -> String)] = [
            ("as it is", { "x=\($0) y" }), ("percent", { "?x=\(percent($0))&y" }),
            ("JSON", { "{\"a\": \"\(json($0))\"}" }),
            ("base64", { base64($0) }), ("user", { "Basic " + base64("ada:" + $0) }),
            ("later user", { base64("a:" + $0 + "tail") }), ("aligned otherwise", { base64("ab:" + $0 + ":") }),
            ("JSON twice", { "\"\(json($0).replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }),
        ]
        for (name, form) in forms {
            let replaced = replacement.replaced(form(Self.secret))
            #expect(replaced == form(standIn), "\(name)")
        }
    }

    @Test("random secrets are replaced in random text, and nothing else is")
    func random() {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<300 {
            let secret =
                String(
                    (0..<Int.random(in: 8...30, using: &generator)).map { _ in
                        "abcdefghXYZ0123456789-._~!$@:/+=é".randomElement(using: &generator) ?? "a"
                    }) + "q7"
            let replacement = SecretReplacement([Redactor.Secret(label: "s", value: secret)])
            let standIn = replacement.standIn(for: secret)
            let text = "before \(secret) after, \(percent(secret))"
            #expect(replacement.replaced(text) == "before \(standIn) after, \(percent(standIn))")
            #expect(replacement.replaced("nothing here") == "nothing here")
        }
    }
}

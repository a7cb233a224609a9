import Calling
import Exchange
import ReqcliBasics
package import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Keeps secrets out of a recording: those that the run knows, and those that are likely by their names or their shape.
package struct RecordingMask: Sendable {
    private let replacement: SecretReplacement
    /// The secrets that the run knows.
    private let known: Redactor

    /// - Parameter known: The secrets that the run has met.
    package init(_ recording: RunRecording, _ known: [Redactor.Secret]) {
        let own = recording.calls.flatMap { $0.secrets + $0.signatures } + recording.secrets
        var all: [Redactor.Secret] = []
        var seen: Set<String> = []
        for secret in known + own where !secret.value.isEmpty && seen.insert(secret.value).inserted {
            all.append(secret)
        }
        var likely: Set<String> = []
        let redactor = Redactor(all)
        self.known = redactor
        func add(_ value: some StringProtocol) {
            // A template holds no secret, and an ordinary word would be replaced everywhere.
            if Self.isStrong(value), !value.contains("{{"), redactor.matches(in: Array(value.utf8)).isEmpty {
                likely.insert(String(value))
            }
        }
        for call in recording.calls {
            for header in call.headers where LikelySecret.isHeader(header.name) {
                Self.credentials(in: header).forEach { add($0) }
            }
            for text in [String(decoding: call.body, as: UTF8.self), call.request?.curl ?? "", call.url ?? ""] {
                LikelySecret.tokens(in: text).forEach { add($0) }
            }
            for event in call.events ?? [] { LikelySecret.tokens(in: event.data).forEach { add($0) } }
        }
        for file in recording.files {
            LikelySecret.tokens(in: String(decoding: file.bytes, as: UTF8.self)).forEach { add($0) }
        }
        for word in recording.words { LikelySecret.tokens(in: word).forEach { add($0) } }
        // A likely secret inside of another one is replaced alike in both.
        let found = Redactor(likely.map { Redactor.Secret(label: "", value: $0) })
        let parts = likely.filter { value in
            let bytes = Array(value.utf8)
            return !found.isSecret(in: Array(bytes.dropFirst())) && !found.isSecret(in: bytes.dropLast())
        }
        replacement = SecretReplacement(all, likely: parts)
    }

    func hidden(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = replacement.replaced(bytes)
        // A string of JSON may hold a secret that is escaped once more, such as HTML.
        guard bytes.first(where: { !$0.isJSONWhitespace }).map({ [.openBrace, .openBracket].contains($0) }) == true,
            let root = JSONDocument.read(SourceFile(name: "", bytes: bytes)).validRoot
        else { return bytes }
        var result: [UInt8] = []
        var end = 0
        func visit(_ value: JSONValue) {
            if let text = value.string {
                let other = replacement.replaced(text)
                guard other != text else { return }
                result += bytes[end..<value.place.range.lowerBound] + JSONStringText.quoted(other).utf8
                end = value.place.range.upperBound
            } else if value.kind == .array {
                value.elements.forEach(visit)
            } else if value.kind == .object {
                value.members.forEach { visit($0.value) }
            }
        }
        visit(root)
        return end == 0 ? bytes : result + bytes[end...]
    }

    func standIns(of secrets: [Redactor.Secret]) -> [Redactor.Secret] {
        secrets.map { Redactor.Secret(label: $0.label, value: replacement.standIn(for: $0.value)) }
    }

    /// The call with stand-ins in place of its secrets, and without likely secrets in its headers.
    func hidden(_ call: RecordedCall) -> RecordedCall {
        var call = call
        (call.secrets, call.signatures) = (standIns(of: call.secrets), standIns(of: call.signatures))
        call.headers = call.headers.map { field in
            // A known secret is replaced later, in its place.
            guard LikelySecret.isHeader(field.name), known.matches(in: Array(field.value.utf8)).isEmpty else {
                return field
            }
            let value = Self.credentials(in: field).reduce(field.value) {
                $0.replacing($1, with: replacement.standIn(for: String($1)))
            }
            return HeaderFields.Field(field.name, value, isLatin1: field.isLatin1)
        }
        call.setCookies = call.setCookies.map { text in
            if !known.matches(in: Array(text.utf8)).isEmpty { return text }
            return Self.credentials(in: HeaderFields.Field("Set-Cookie", text)).reduce(text) {
                $0.replacing($1, with: replacement.standIn(for: String($1)))
            }
        }
        return call
    }

    /// The value of a cookie, or the last word of other credentials.
    private static func credentials(in header: HeaderFields.Field) -> [Substring] {
        let value = header.value
        if header.name.isSameHeader(as: "Set-Cookie") {
            let pair = value.prefix { $0 != ";" }
            return pair.firstIndex(of: "=").map { [pair[pair.index(after: $0)...]] }?.filter { !$0.isEmpty } ?? []
        }
        return value.split(separator: " ").last.map { [$0] } ?? []
    }

    /// Whether a value can be replaced everywhere: it is no ordinary word or number.
    private static func isStrong(_ value: some StringProtocol) -> Bool {
        value.utf8.count >= 8 && value.utf8.contains(where: \.isLetter) && value.utf8.contains { !$0.isLetter }
    }
}

import ReqcliBasics

/// One challenge of a `WWW-Authenticate` header: a scheme and its parameters (RFC 9110 §11).
struct AuthenticationChallenge: Hashable, Sendable {
    let scheme: String
    private(set) var parameters: [Parameter] = []

    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    subscript(_ name: String) -> String? {
        parameters.first { $0.name.lowercased() == name }?.value
    }

    /// The challenges in one header value. Commas separate both challenges and parameters: a word followed by another
    /// word begins a challenge, and a word followed by "=" is a parameter.
    static func all(in value: String) -> [AuthenticationChallenge] {
        var reader = Reader(rest: Array(value.utf8)[...])
        var result: [AuthenticationChallenge] = []
        while reader.skipSeparators() {
            guard let word = reader.token() else {
                reader.skipOne()
                continue
            }
            if let value = reader.valueAfterEquals() {
                guard !result.isEmpty else { continue }
                result[result.count - 1].parameters.append(Parameter(name: word, value: value))
            } else {
                result.append(AuthenticationChallenge(scheme: word))
            }
        }
        return result
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Skips commas and whitespace; false at the end of the header value.
        mutating func skipSeparators() -> Bool {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            return !rest.isEmpty
        }

        mutating func skipOne() {
            rest = rest.dropFirst()
        }

        mutating func token() -> String? {
            let token = rest.prefix { $0.isTokenByte }
            rest = rest[token.endIndex...]
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }

        mutating func valueAfterEquals() -> String? {
            let after = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard after.first == UInt8(ascii: "=") else { return nil }
            rest = after.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            guard rest.first == UInt8(ascii: "\"") else { return token() ?? "" }
            rest = rest.dropFirst()
            var value: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
            }
            return String(decoding: value, as: UTF8.self)
        }
    }
}

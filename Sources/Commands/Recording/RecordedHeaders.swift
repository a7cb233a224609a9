import ASCII
import Definitions
import Exchange
import Redaction
import RequestBuilding
import SourceText

/// The headers of an answer as a stub keeps them: without those of one connection and one moment, and without secrets.
struct RecordedHeaders: Equatable {
    struct Header: Equatable {
        let name: String
        let values: [String]
    }

    private(set) var headers: [Header] = []
    /// Names of headers whose values were masked since such headers carry credentials.
    private(set) var credentials: [String] = []
    /// Names that no endpoint file can hold.
    private(set) var unwritable: [String] = []

    init(_ fields: HeaderFields, _ redactor: Redactor) {
        var dropped = Self.dropped
        for value in fields.values("Connection") {
            dropped.formUnion(value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
        }
        var seen: Set<String> = []
        for field in fields where !dropped.contains(field.name.lowercased()) {
            // Fields of one name come together, in the spelling of the first.
            guard seen.insert(field.name.lowercased()).inserted else { continue }
            guard field.name.isToken, redactor.redact(field.name) == field.name else {
                unwritable.append(redactor.redact(field.name))
                continue
            }
            let isCredential = Self.isCredential(field.name.lowercased())
            if isCredential { credentials.append(field.name) }
            headers.append(
                Header(
                    name: field.name,
                    values: fields.named(field.name).map { isCredential ? $0.maskedValue : redactor.redact($0.value) }))
        }
    }

    /// The headers as JSON for the endpoint file.
    var json: OrderedJSON {
        .object(
            headers.map { header in
                let values = header.values.map { OrderedJSON.string(TextTemplate.escaped($0)) }
                return OrderedJSON.Member(header.name, values.count == 1 ? values[0] : .array(values))
            })
    }
}

// MARK: - Which are which

extension RecordedHeaders {
    /// What is true of one connection (RFC 9110, 7.6.1), of one moment, or of the body as it was on the wire.
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "date", "content-length", "content-encoding",
    ]

    private static let credentials: Set<String> = [
        "set-cookie", "set-cookie2", "cookie", "authorization", "authentication-info", "proxy-authentication-info",
    ]
    private static let credentialWords = ["token", "secret", "password", "api-key", "apikey", "session"]

    private static func isCredential(_ name: String) -> Bool {
        credentials.contains(name) || credentialWords.contains { name.contains($0) }
    }
}

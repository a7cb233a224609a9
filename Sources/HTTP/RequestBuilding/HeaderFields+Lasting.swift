extension HeaderFields {
    /// The fields without those that belong to one connection or one moment, in which two responses with the same content may
    /// differ.
    package var lasting: [Field] {
        var left = Self.momentary
        for value in values("Connection") {
            left.formUnion(value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
        }
        return filter { !left.contains($0.name.lowercased()) }
    }

    /// Headers of one connection (RFC 9110, 7.6.1), of one moment, or of the body as it was on the wire.
    private static let momentary: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "date", "content-length", "content-encoding",
    ]
}

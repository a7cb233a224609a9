extension HeaderFields {
    /// The fields that depend only on the content. Fields that belong to one connection or one moment are left out, because two
    /// responses with the same content may differ in them.
    package var lasting: [Field] {
        var left = Self.momentary
        for value in values("Connection") {
            left.formUnion(value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
        }
        return filter { !left.contains($0.name.lowercased()) }
    }

    /// Headers that belong to one connection (RFC 9110, 7.6.1), to one moment, or to the form in which the body was transferred.
    private static let momentary: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade", "date", "content-length", "content-encoding",
    ]
}

extension HeaderFields {
    /// The problem with a Content-Length for a body of this many bytes; nil if the header is correct or missing.
    ///
    /// - Parameter bodySize: The size of the body; nil if it is not known.
    package func lengthProblem(bodySize: Int64?) -> String? {
        let lengths = values("Content-Length")
        // RFC 9112, section 6.2: two servers could disagree about the end of such a request.
        if !lengths.isEmpty, !values("Transfer-Encoding").isEmpty {
            return "Content-Length can't be sent together with Transfer-Encoding: leave one of them out"
        }
        guard let bodySize else { return nil }
        return lengths.first { Int64($0) != bodySize }.map {
            "the Content-Length is \($0), but the body has \(bodySize) bytes: leave out the header to send the right one"
        }
    }
}

extension RequestBuilder {
    /// The problem with the Content-Length of a request that this builder made, if the body's size is known.
    ///
    /// The problem is not part of ``problems(baseURL:)``, which is also used before the body is filled in.
    /// - Parameter fileSize: Returns a file's size in bytes; nil if it is not known.
    package func lengthProblem(of request: PreparedRequest, fileSize: (String) -> Int?) -> RequestBuildingError? {
        guard request.headers["Content-Length"] != nil else { return nil }
        let size = request.body.map { $0.size(fileSize: fileSize) } ?? 0
        guard let reason = request.headers.lengthProblem(bodySize: size.map(Int64.init)) else { return nil }
        let header = history().first { $0.subject == .header("Content-Length") }?.standing.last
        return RequestBuildingError(
            .invalidHeaderValue, operator: header?.name ?? "makeRequest", subject: header?.subject,
            origin: header?.origin, reason: reason)
    }
}

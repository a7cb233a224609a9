extension HeaderFields {
    /// What is wrong with a Content-Length for a body of this many bytes; nil if it is right, or there is none.
    ///
    /// - Parameter bodySize: Nil where the size isn't known.
    package func lengthProblem(bodySize: Int64?) -> String? {
        let lengths = values("Content-Length")
        // RFC 9112, section 6.2: two servers could disagree about where such a request ends.
        if !lengths.isEmpty, !values("Transfer-Encoding").isEmpty {
            return "Content-Length can't stand beside Transfer-Encoding: leave one of them out"
        }
        guard let bodySize else { return nil }
        return lengths.first { Int64($0) != bodySize }.map {
            "the Content-Length is \($0) and the body has \(bodySize) bytes: without the header the right one is sent"
        }
    }
}

extension RequestBuilder {
    /// What is wrong with the Content-Length of a request that this builder has made, where the body's size is known.
    ///
    /// It is none of the ``problems(baseURL:)``: those are also asked for while a body is yet to be filled in.
    /// - Parameter fileSize: A file's size in bytes; nil where it can't be known.
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

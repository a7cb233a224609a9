public import Foundation

/// Operators that set the body. Each kind of body implies a Content-Type. The implied type replaces a Content-Type that earlier
/// operators set. A later `header("Content-Type", …)` replaces the implied type. Replacing or removing the body also removes the
/// implied type.
extension RequestBuilder {
    /// Sets the body to these bytes. If `contentType` is nil, no Content-Type is set.
    public func body(_ data: Data, contentType: String? = nil) -> RequestBuilder {
        body("body", .success(.data(data)), value: Self.summary(of: data), contentType: contentType)
    }

    /// Sets the body to a string, encoded in UTF-8.
    public func textBody(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBuilder {
        let data = Data(text.utf8)
        return body("textBody", .success(.data(data)), value: Self.summary(of: data), contentType: contentType)
    }

    /// Sets the body to a value as JSON. Nil means no body, not the JSON value `null`. `Data` is sent unchanged, and a
    /// ``JSONLiteral`` keeps the order of its members.
    ///
    /// The value is encoded at once, so later changes to it have no effect. If encoding fails, ``makeRequest(baseURL:)`` throws
    /// the error. The encoder's settings decide how keys and dates are encoded.
    ///
    /// ```swift
    /// let encoder = JSONEncoder()
    /// encoder.keyEncodingStrategy = .convertToSnakeCase
    /// builder.jsonBody(user, encoder: encoder)
    /// ```
    public func jsonBody(
        _ value: (some Encodable)?, encoder: JSONEncoder = .stable, contentType: String = "application/json"
    ) -> RequestBuilder {
        guard let value else { return removingBody() }
        return jsonBody(type(of: value), contentType: contentType) {
            if let literal = value as? JSONLiteral { return Data(literal.compact.utf8) }
            return try value as? Data ?? encoder.encode(value)
        }
    }

    /// Sets the body to a dictionary as JSON, with the keys sorted. The values are those that `JSONSerialization` writes.
    ///
    /// ```swift
    /// builder.jsonBody(["name": "Ada", "age": 36, "tags": ["a", "b"]])
    /// ```
    public func jsonBody(_ object: [String: Any]) -> RequestBuilder {
        jsonBody(type(of: object), contentType: "application/json") {
            // The serializer itself would trap.
            guard JSONSerialization.isValidJSONObject(object) else {
                throw CocoaError(
                    .propertyListWriteInvalid,
                    userInfo: [NSLocalizedDescriptionKey: "it has a value that JSON can't hold"])
            }
            return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        }
    }

    private func jsonBody(_ type: Any.Type, contentType: String, _ encode: () throws -> Data) -> RequestBuilder {
        let encoded = Result(catching: encode).mapError { error in
            StepFailure(.bodyNotEncoded, "\(type) could not be encoded as JSON: \(error)", underlying: error)
        }
        return body(
            "jsonBody", encoded.map { .data($0) }, value: (try? encoded.get()).map(Self.summary) ?? "not encoded",
            contentType: contentType)
    }

    /// Sets the body to form fields, urlencoded in the order given; names may repeat.
    public func formBody(_ fields: [(name: String, value: String)]) -> RequestBuilder {
        let text = fields.map {
            PercentEncoding.queryComponent($0.name) + "=" + PercentEncoding.queryComponent($0.value)
        }
        .joined(separator: "&")
        let data = Data(text.utf8)
        return body(
            "formBody", .success(.data(data)), value: Self.summary(of: data),
            contentType: "application/x-www-form-urlencoded")
    }

    /// Sets the body to form fields in the order given. A field is sent once for each of its values that is not nil.
    @_spi(Generated) public func formBody(filling fields: KeyValuePairs<String, [String?]>) -> RequestBuilder {
        var given: [(name: String, value: String)] = []
        for (name, values) in fields {
            for case let value? in values { given.append((name, value)) }
        }
        return formBody(given)
    }

    /// Sets the body to the bytes of a file, which is read while it is sent.
    public func fileBody(path: String, contentType: String? = "application/octet-stream") -> RequestBuilder {
        body("fileBody", .success(.file(path: path)), value: "file \(path)", contentType: contentType)
    }

    /// Sets the body to form parts.
    public func multipartBody(_ multipart: MultipartBody) -> RequestBuilder {
        let names = multipart.parts.map(\.name).joined(separator: ", ")
        let checked: Result<RequestBody, StepFailure> =
            multipart.problem.map { .failure(StepFailure(.invalidMultipart, $0)) } ?? .success(.multipart(multipart))
        return body("multipartBody", checked, value: "multipart \(names)", contentType: multipart.contentType)
    }

    /// Sets the content of the body and keeps its Content-Type.
    ///
    /// - Parameter fallbackType: The Content-Type if no operator before this one sets or removes one.
    package func bodyContent(_ content: RequestBody, fallbackType: String) -> RequestBuilder {
        let value =
            switch content {
            case .file(let path): "file \(path)"
            default: content.data.map(Self.summary) ?? ""
            }
        return appending("bodyContent", .body, value: value, bodyTie: .kept, .request { $0.setContent(content) })
            .appending(
                "bodyContent", .header("Content-Type"), value: fallbackType, bodyTie: .fallback,
                .request { $0.setFallbackType(fallbackType) })
    }

    /// Removes the body, and the Content-Type if the body implied it.
    public func removingBody() -> RequestBuilder {
        appending("removingBody", .body, .removes, .request { $0.setBody(nil) })
    }

    private func body(
        _ name: String, _ body: Result<RequestBody, StepFailure>, value: String, contentType: String?
    ) -> RequestBuilder {
        let set = appending(name, .body, value: value, .request { $0.setBody(try body.get()) })
        guard let contentType else { return set }
        return set.appending(
            name, .header("Content-Type"), value: contentType, bodyTie: .implied,
            .request { draft in
                try Self.check("Content-Type", [contentType])
                draft.setHeader("Content-Type", [contentType], bodyTie: .implied)
            })
    }

    /// The body as lists of operators show it: its text if the text is short, else its size.
    private static func summary(of data: Data) -> String {
        guard data.count <= 1000, let text = String(data: data, encoding: .utf8), !text.contains("\0") else {
            return "\(data.count) bytes"
        }
        return text
    }
}

extension JSONEncoder {
    /// An encoder with the same output each time: keys are sorted, and slashes are not escaped.
    public static var stable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

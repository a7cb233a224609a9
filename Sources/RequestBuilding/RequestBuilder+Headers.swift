extension RequestBuilder {
    /// Sets a header: all fields of that name, whatever its case, give way to this one. A nil value changes nothing.
    public func header(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return header(name, values: [value])
    }

    /// Sets a header that repeats; an empty list removes the name.
    public func header(_ name: String, values: [String]) -> RequestBuilder {
        header(name, values: values, isForBody: false)
    }

    /// - Parameter isForBody: True for a Content-Type that a request without a body doesn't get.
    private func header(_ name: String, values: [String], isForBody: Bool) -> RequestBuilder {
        guard !values.isEmpty else { return removingHeader(name) }
        return appending(
            "header", .header(name), value: values.joined(separator: ", "),
            .request { draft in
                try Self.check(name, values)
                draft.setHeader(name, values)
                if isForBody { draft.keepContentTypeForBody() }
            })
    }

    /// Sets several headers at once; those of other names stay. A name that is given twice is sent twice.
    public func headers(_ fields: HeaderFields) -> RequestBuilder {
        headers(fields, keepingContentTypeForBody: false)
    }

    func headers(_ fields: HeaderFields, keepingContentTypeForBody isKept: Bool) -> RequestBuilder {
        var done: Set<String> = []
        return fields.reduce(self) { builder, field in
            guard done.insert(field.name.asciiLowercased).inserted else { return builder }
            let isForBody = isKept && field.name.isSameHeader(as: "Content-Type")
            return builder.header(field.name, values: fields.values(field.name), isForBody: isForBody)
        }
    }

    /// Adds a header field after those there are, even where the name is there already. A nil value adds nothing.
    ///
    /// ```swift
    /// builder.addingHeader("Accept", "text/html").addingHeader("Accept", "text/plain")  // two lines
    /// ```
    public func addingHeader(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return appending(
            "addingHeader", .header(name), .adds, value: value,
            .request { draft in
                try Self.check(name, draft.request.headers.values(name) + [value])
                draft.addHeader(name, value)
            })
    }

    /// Removes all header fields of that name.
    public func removingHeader(_ name: String) -> RequestBuilder {
        appending("removingHeader", .header(name), .removes, .request { $0.setHeader(name, []) })
    }

    static func check(_ name: String, _ values: [String]) throws {
        if let problem = HTTPSyntax.problem(withHeaderName: name) { throw StepFailure(.invalidHeaderName, problem) }
        if values.count > 1, name.isSameHeader(as: "Host") {
            throw StepFailure(.invalidHeaderValue, "header \(name): expected one value; found \(values.count)")
        }
        for value in values {
            if let problem = HTTPSyntax.problem(withHeaderValue: value) {
                throw StepFailure(.invalidHeaderValue, "header \(name): \(problem)")
            }
        }
    }
}

import ReqcliBasics

extension RequestBuilder {
    /// Sets a header. The new field replaces all fields with the same name, without regard to case. A nil value changes nothing.
    public func header(_ name: String, _ value: String?) -> RequestBuilder {
        guard let value else { return self }
        return header(name, values: [value])
    }

    /// Sets a header with several values; an empty list removes the header.
    public func header(_ name: String, values: [String]) -> RequestBuilder {
        header(name, values: values, bodyTie: .none)
    }

    /// Sets a header with the values that are not nil. If all values are nil, nothing changes.
    @_spi(Generated) public func header(_ name: String, repeating values: [String?]) -> RequestBuilder {
        let values = values.compactMap(\.self)
        return values.isEmpty ? self : header(name, values: values)
    }

    /// Marks a header as one that holds a secret: logs hide it, and redirects to another origin drop it.
    public func secretHeader(_ name: String) -> RequestBuilder {
        modifyRequest("secretHeader", subject: .other("secret header \(name)"), value: name) {
            if !$0.secretHeaders.contains(name) { $0.secretHeaders.append(name) }
        }
    }

    package func header(_ name: String, values: [String], bodyTie: RequestOperator.BodyTie) -> RequestBuilder {
        guard !values.isEmpty else { return removingHeader(name) }
        return appending(
            "header", .header(name), value: values.joined(separator: ", "), bodyTie: bodyTie,
            .request { draft in
                try Self.check(name, values)
                draft.setHeader(name, values, bodyTie: bodyTie)
            })
    }

    /// Sets several headers at once. Headers with other names are kept. A name that is given twice is sent twice.
    public func headers(_ fields: HeaderFields) -> RequestBuilder {
        headers(fields) { _ in .none }
    }

    /// Sets headers that many requests share, such as the headers of an environment. A Content-Type is sent only with a body.
    public func sharedHeaders(_ fields: HeaderFields) -> RequestBuilder {
        headers(fields, bodyTie: RequestOperator.BodyTie.init(ofSharedHeader:))
    }

    private func headers(
        _ fields: HeaderFields, bodyTie: (_ name: String) -> RequestOperator.BodyTie
    ) -> RequestBuilder {
        var done: Set<String> = []
        return fields.reduce(self) { builder, field in
            guard done.insert(field.name.asciiLowercased).inserted else { return builder }
            return builder.header(
                field.name, values: fields.values(field.name), bodyTie: bodyTie(field.name))
        }
    }

    /// Adds a header field at the end, even if the name already exists. A nil value adds nothing.
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
        let removed = appending("removingHeader", .header(name), .removes, .request { $0.setHeader(name, []) })
        // Without Accept-Encoding, servers don't compress. Decoding is also switched off here, because it would add the header
        // again.
        return name.isSameHeader(as: "Accept-Encoding") ? removed.setting(.decodesContent, false) : removed
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

extension RequestOperator.BodyTie {
    /// The body tie of a header that an environment or a group adds to all its requests, whether or not they have a body.
    package init(ofSharedHeader name: String) {
        self = name.isSameHeader(as: "Content-Type") ? .required : .none
    }
}

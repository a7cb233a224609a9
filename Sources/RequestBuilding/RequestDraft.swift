import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The request while its operators run. Headers, body and options are kept beside it and put in at the end, since a
/// URLRequest can't hold them in order.
struct RequestDraft {
    var request: URLRequest
    var options = OptionTexts()
    private(set) var headers = HeaderFields()
    private(set) var body: RequestBody?
    /// True while the Content-Type follows from the body and not from a header operator.
    private var hasImpliedContentType = false

    init(url: URL) {
        request = URLRequest(url: url)
    }

    mutating func setMethod(_ token: String) {
        // Foundation copies the whole request for it, and most are made with the method that they have.
        if request.httpMethod != token { request.httpMethod = token }
    }

    mutating func setHeader(_ name: String, _ values: [String]) {
        if name.isSameHeader(as: "Content-Type") { hasImpliedContentType = false }
        headers.set(name, values)
    }

    mutating func addHeader(_ name: String, _ value: String) {
        if name.isSameHeader(as: "Content-Type") { hasImpliedContentType = false }
        headers.append(name, value)
    }

    /// Sets the body; a Content-Type that only followed from the one before goes with it.
    mutating func setBody(_ body: RequestBody?) {
        if hasImpliedContentType { setHeader("Content-Type", []) }
        self.body = body
    }

    mutating func setImpliedContentType(_ value: String) {
        setHeader("Content-Type", [value])
        hasImpliedContentType = true
    }

    /// Makes a form and a Content-Type of its own agree on the boundary: the header gets the form's, or the form takes the one
    /// that the header names.
    mutating func agreeOnBoundary() throws {
        guard !hasImpliedContentType, case .multipart(let form)? = body, let type = headers["Content-Type"],
            headers.values("Content-Type").count == 1, let named = MultipartBody.boundary(inContentType: type)
        else { return }
        switch named {
        case .none: setHeader("Content-Type", [form.addingBoundary(to: type)])
        case .some(let boundary):
            let form = MultipartBody(boundary: boundary, parts: form.parts)
            if let problem = form.problem { throw StepFailure(.invalidMultipart, "header Content-Type: \(problem)") }
            body = .multipart(form)
        }
    }

    /// Runs a change from outside on the whole request and takes back what it did.
    mutating func modify(_ change: (inout URLRequest) throws -> Void) throws {
        var changed = finished()
        try change(&changed)
        guard changed.url == request.url else {
            throw StepFailure(
                .operatorFailed, "the closure changed the URL: URL changes belong into modifyURLComponents")
        }
        let fields = changed.headerFields
        for field in fields { try RequestBuilder.check(field.name, fields.values(field.name)) }
        _ = try HTTPMethod(checking: changed.httpMethod ?? "GET")
        if fields.values("Content-Type") != headers.values("Content-Type") { hasImpliedContentType = false }
        headers = fields
        options = changed.optionTexts
        body = changed.bodySource
        request = changed
    }

    /// The request as it is so far.
    func finished() -> URLRequest {
        var draft = self
        return draft.finish()
    }

    /// The same, where nothing comes after it: Foundation copies a request for each of two who hold it.
    mutating func finish() -> URLRequest {
        request.setRecord(headers: headers, options: options)
        // A stream that a closure put there has no source to go back to; it stays as it is.
        if body != nil || request.httpBodyStream == nil { request.bodySource = body }
        return request
    }
}

/// The request while its operators run.
struct RequestDraft {
    private(set) var request: PreparedRequest
    /// The settings of a request to which no operator was applied.
    private let baseline: TransferSettings
    /// True while the Content-Type follows from the body and not from a header operator.
    private var hasImpliedContentType = false
    /// True while the Content-Type is one that goes out only with a body.
    private var isContentTypeForBody = false

    init(_ request: PreparedRequest) {
        self.request = request
        baseline = request.transfer
    }

    mutating func setMethod(_ method: HTTPMethod) {
        request.method = method
    }

    mutating func setHeader(_ name: String, _ values: [String]) {
        noteHeader(name)
        request.headers.set(name, values)
    }

    mutating func addHeader(_ name: String, _ value: String) {
        noteHeader(name)
        request.headers.append(name, value)
    }

    private mutating func noteHeader(_ name: String) {
        if name.isSameHeader(as: "Content-Type") { (hasImpliedContentType, isContentTypeForBody) = (false, false) }
    }

    /// Leaves the Content-Type out unless there is a body at the end.
    mutating func keepContentTypeForBody() {
        isContentTypeForBody = true
    }

    /// Sets the body; a Content-Type that only followed from the one before goes with it.
    mutating func setBody(_ body: RequestBody?) {
        if hasImpliedContentType { setHeader("Content-Type", []) }
        request.body = body
    }

    mutating func setImpliedContentType(_ value: String) {
        setHeader("Content-Type", [value])
        hasImpliedContentType = true
    }

    mutating func apply(_ change: TransferChange) {
        change.apply(&request.transfer, baseline)
    }

    /// Makes a form and a Content-Type of its own agree on the boundary: the header gets the form's, or the form takes the one
    /// that the header names.
    mutating func agreeOnBoundary() throws {
        guard !hasImpliedContentType, case .multipart(let form)? = request.body,
            let type = request.headers["Content-Type"], request.headers.values("Content-Type").count == 1,
            let named = MultipartBody.boundary(inContentType: type)
        else { return }
        switch named {
        case .none: setHeader("Content-Type", [form.addingBoundary(to: type)])
        case .some(let boundary):
            let form = MultipartBody(boundary: boundary, parts: form.parts)
            if let problem = form.problem { throw StepFailure(.invalidMultipart, "header Content-Type: \(problem)") }
            request.body = .multipart(form)
        }
    }

    /// The request as it stands. A form without files is bytes like any other body.
    var finished: PreparedRequest {
        var request = request
        if let data = request.body?.data { request.body = .data(data) }
        if request.body == nil, isContentTypeForBody { request.headers.remove("Content-Type") }
        return request
    }

    /// Runs a change from outside on the whole request and checks what it did.
    mutating func modify(_ change: (inout PreparedRequest) throws -> Void) throws {
        var changed = request
        try change(&changed)
        guard changed.url == request.url else {
            throw StepFailure(
                .operatorFailed, "the closure changed the URL: URL changes belong into modifyURLComponents")
        }
        let fields = changed.headers
        for field in fields { try RequestBuilder.check(field.name, fields.values(field.name)) }
        if fields.values("Content-Type") != request.headers.values("Content-Type") {
            noteHeader("Content-Type")
        }
        request = changed
    }
}

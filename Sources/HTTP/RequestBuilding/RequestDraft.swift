/// The request while its operators run.
struct RequestDraft {
    var request: PreparedRequest
    /// The transfer settings before any operator was applied.
    private let baseline: TransferSettings
    /// The relation between the body and the Content-Type that an operator set or removed last; nil if none did.
    private var contentTypeTie: RequestOperator.BodyTie?

    init(_ request: PreparedRequest) {
        self.request = request
        baseline = request.transfer
    }

    mutating func setMethod(_ method: HTTPMethod) {
        request.method = method
    }

    mutating func setHeader(_ name: String, _ values: [String], bodyTie: RequestOperator.BodyTie = .none) {
        noteHeader(name, bodyTie)
        request.headers.set(name, values)
    }

    mutating func addHeader(_ name: String, _ value: String) {
        noteHeader(name, .none)
        request.headers.append(name, value)
    }

    private mutating func noteHeader(_ name: String, _ bodyTie: RequestOperator.BodyTie) {
        if name.isSameHeader(as: "Content-Type") { contentTypeTie = bodyTie }
    }

    /// Sets a Content-Type, unless an operator set or removed one before.
    mutating func setFallbackType(_ type: String) {
        if contentTypeTie == nil { setHeader("Content-Type", [type], bodyTie: .implied) }
    }

    /// Sets the body and removes the Content-Type that the previous body implied.
    mutating func setBody(_ body: RequestBody?) {
        if contentTypeTie == .implied {
            setHeader("Content-Type", [])
            contentTypeTie = nil
        }
        request.body = body
    }

    /// Sets the body and keeps the Content-Type.
    mutating func setContent(_ body: RequestBody) { request.body = body }

    mutating func apply(_ change: TransferChange) {
        change.apply(&request.transfer, baseline)
    }

    /// Makes a form and its explicit Content-Type use the same boundary. If the header names a boundary, the form uses this
    /// boundary. Otherwise the header gets the form's boundary.
    mutating func agreeOnBoundary() throws {
        guard contentTypeTie != .implied, case .multipart(let form)? = request.body,
            let type = request.headers["Content-Type"], request.headers.values("Content-Type").count == 1
        else { return }
        guard let boundary = MultipartBody.boundary(inContentType: type) else {
            setHeader("Content-Type", [form.addingBoundary(to: type)])
            return
        }
        let named = MultipartBody(boundary: boundary, parts: form.parts)
        if let problem = named.problem { throw StepFailure(.invalidMultipart, "header Content-Type: \(problem)") }
        request.body = .multipart(named)
    }

    /// The finished request. A form without files becomes bytes like any other body.
    var finished: PreparedRequest {
        var request = request
        if let data = request.body?.data { request.body = .data(data) }
        if request.body == nil, contentTypeTie == .required { request.headers.remove("Content-Type") }
        return request
    }

    /// Runs a closure on the whole request and checks the result.
    mutating func modify(_ change: (inout PreparedRequest) throws -> Void) throws {
        var changed = request
        try change(&changed)
        guard changed.url == request.url else {
            throw StepFailure(
                .operatorFailed, "the closure changed the URL: change the URL with modifyURLComponents")
        }
        let fields = changed.headers
        for field in fields { try RequestBuilder.check(field.name, fields.values(field.name)) }
        if fields.values("Content-Type") != request.headers.values("Content-Type") {
            noteHeader("Content-Type", .none)
        }
        request = changed
    }
}

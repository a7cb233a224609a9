import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension ServedEndpoints {
    /// Throws if an endpoint has a path that is reserved for the server, or if a client could not tell where a response ends.
    func check() throws(Failure) {
        var problems = router.patterns.filter { $0.segments.first?.text.literal == ControlAPI.root }.map { pattern in
            Diagnostic(
                code: .pathReserved,
                "\(pattern.endpoint.id) cannot be served: paths below /\(ControlAPI.root)/ are reserved for the server",
                at: pattern.endpoint.definition.place, hint: "leave the endpoint out with a selector")
        }
        for pattern in router.patterns {
            let endpoint = pattern.endpoint
            let variants = endpoint.definition.stubs?.variants ?? []
            // All variants of the endpoint are checked, because other variants may refer by `like` to a variant that needs the
            // check.
            guard variants.contains(where: \.value.mayBreakFraming) else { continue }
            for variant in variants {
                for stub in try script(variant.name, of: endpoint).stubs {
                    guard let message = stub.stub.framingProblem(isHead: pattern.method == "HEAD") else { continue }
                    problems.append(
                        Diagnostic(
                            code: .variantUnservable, "\(endpoint.id)=\(variant.name) cannot be served: \(message)",
                            at: variant.value.place))
                }
            }
        }
        if !problems.isEmpty { throw Failure(.broken, problems) }
    }

    /// The problem with the variant that an environment's `"*"` names: some endpoints lack it. Nil if all endpoints have the
    /// variant.
    static func problem(of rest: Located<String>, for endpoints: [EndpointVariants]) -> Diagnostic? {
        let lacking = endpoints.filter { !$0.names.contains(rest.value) }
        guard !lacking.isEmpty else { return nil }
        let lists = lacking.prefix(mostListed).map { "\($0.endpoint.id) has \($0.names.joined(separator: ", "))" }
        let more = lacking.count > mostListed ? ["and \(lacking.count - mostListed) more endpoints"] : []
        return Diagnostic(
            code: .variantUnknown,
            "not all endpoints have a stub variant \(rest.value.quoted): \((lists + more).joined(separator: "; "))",
            at: rest.place, hint: "in addition to \"*\", name a variant for each of these endpoints")
    }

    private static let mostListed = 5

    /// Variants whose faults happen before there is a connection. For them, a server resets the connection instead.
    package var impossibleFaults: [String] {
        endpoints.flatMap { endpoint in
            (endpoint.definition.stubs?.variants ?? []).filter { variant in
                variant.value.withWrittenSteps.contains { [.refused, .dns, .tls].contains($0.fault) }
            }.map { "\(endpoint.id)=\($0.name)" }
        }
    }
}

extension VariantDefinition {
    /// Whether the response has to be checked for an end that clients can't find. Few variants need this check.
    fileprivate var mayBreakFraming: Bool {
        if let status, status < 200 { return true }
        return headers.contains { $0.name.isSameHeader(as: "Content-Length") }
            || (sequence ?? []).contains { if case .written(let step) = $0 { step.mayBreakFraming } else { false } }
    }
}

extension Stub {
    fileprivate func framingProblem(isHead: Bool) -> String? {
        if error == nil, status < 200 { return "its status \(status) is not a final status" }
        guard !isFilled, let length = headers["Content-Length"], case .data(let data) = body else { return nil }
        guard let stated = length.byteCount else {
            return "its Content-Length is \(length.shortened.quoted), which is not a number of bytes"
        }
        // A response to HEAD and a 304 response may state the length of the body that they leave out.
        let hasBody = !isHead && status != 304
        guard hasBody || !data.isEmpty, stated != data.count else { return nil }
        return "its Content-Length is \(length), and its body has \(data.count) \(data.count == 1 ? "byte" : "bytes")"
    }
}

extension Diagnostic.Code {
    fileprivate static let pathReserved: Self = "path.reserved"
    fileprivate static let variantUnservable: Self = "variant.unservable"
}

import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Finds the endpoints whose requests can be assembled for certain, and the paths of these requests, without assembling them. In
/// the paths, stand-ins replace the values that are not known.
///
/// An endpoint is certain if nothing in its definition can fail: it has no server, no files and no `$switch` of its own, its
/// placeholders have values, and its strings are valid in their places. All other endpoints have to be assembled.
///
/// With this shortcut, `serve` starts with 10,000 endpoints in 0.26 s of processor time instead of 0.69 s.
struct CertainRequests: Sendable {
    /// The environment's base path, percent-encoded. It is the path of a request whose endpoint has no path.
    private let basePath: String
    private let calls: OpenCalls
    /// The variables of the environment whose values are valid in every place of a request.
    private let variables: Set<String>

    /// The maximum size of a file whose endpoints can count as certain. With a larger file, a request could become larger than is
    /// allowed.
    private static let largestFile = 1 << 20
    private static let longestVariable = 100

    /// Nil if no endpoint is certain in this environment.
    ///
    /// - Parameter base: The request of an empty endpoint. It was assembled successfully, so nothing in the environment can fail.
    init?(_ calls: OpenCalls, base: PreparedRequest) {
        // If the environment has a `Content-Length` or a `$switch`, each endpoint has to be assembled: `Content-Length` is
        // compared with each body, and a `$switch` is filled in.
        guard base.headers["Content-Length"] == nil,
            LocatedEndpoint(typed: "base", in: nil).switches(in: calls.environment).isEmpty
        else { return nil }
        self.calls = calls
        basePath = base.url.path(percentEncoded: true)
        variables = Set(
            calls.environment.variables.filter { variable in
                guard let value = variable.value.set?.literal else { return false }
                switch value {
                case .bool, .number: return true
                case .string(let text):
                    return text.utf8.count <= Self.longestVariable && text.isHeaderText
                        && !text.allSatisfy(\.isWhitespace)
                case .null, .array, .object: return false
                }
            }.map(\.name))
    }

    /// The path of the requests of an endpoint, percent-encoded and with stand-ins; nil if a request could fail.
    func path(of endpoint: LocatedEndpoint) -> String? {
        guard endpoint.file.bytes.count <= Self.largestFile else { return nil }
        let definition = endpoint.definition
        if let defaults = endpoint.defaults, !isCertain(defaults.layer, endpoint) { return nil }
        guard isCertain(definition.request.layer, endpoint), isCertain(definition.request.body, endpoint) else {
            return nil
        }
        var path = definition.request.path
        if !definition.environments.isEmpty,
            let overlay = definition.environments[named: calls.environment.name]
        {
            guard isCertain(overlay.layer, endpoint), isCertain(overlay.body, endpoint) else { return nil }
            path = overlay.path ?? path
        }
        guard let template = path?.set else { return basePath }
        return text(of: template, endpoint).map { URLDraft.join(base: basePath, path: $0) }
    }

    private func text(of template: PathTemplate, _ endpoint: LocatedEndpoint) -> String? {
        guard case .text(let template) = template else { return nil }
        var path = ""
        for piece in template.pieces {
            switch piece {
            case .literal(let text):
                guard !text.utf8.contains(UInt8(ascii: "%")), PercentEncoding.path(text) == text else { return nil }
                path += text
            case .placeholder(let placeholder):
                guard case .name(let name) = placeholder.value, endpoint.has(name, besides: .list) else { return nil }
                path += StandIn.text(for: .parameter(name))
            }
        }
        return path
    }

    // MARK: Layers

    private func isCertain(_ layer: RequestLayer, _ endpoint: LocatedEndpoint) -> Bool {
        guard layer.baseURL == nil, layer.scheme == nil, layer.host == nil, layer.port == nil, layer.basePath == nil,
            layer.proxy == nil, layer.noProxy == nil, isCertain(layer.auth, endpoint)
        else { return false }
        guard isCertain(layer.timeout), isCertain(layer.retry), isCertain(layer.redirects), isCertain(layer.tls),
            layer.transfer.needsNoFile
        else { return false }
        let headersAreCertain = layer.headers.allSatisfy { header in
            !header.name.isSameHeader(as: "Host") && !header.name.isSameHeader(as: "Content-Length")
                && (header.value.set ?? []).allSatisfy { isCertain(inHeader: $0, endpoint) }
        }
        return headersAreCertain && isCertain(layer.query, endpoint)
    }

    private func isCertain(_ setting: Setting<TransferLayer>?) -> Bool {
        setting?.set?.needsNoFile ?? true
    }

    private func isCertain(_ auth: Setting<Auth>?, _ endpoint: LocatedEndpoint) -> Bool {
        switch auth?.set?.credentials {
        case nil: true
        // A stand-in is never blank, so a token with a placeholder is never blank either.
        case .bearer(let token): !token.placeholders.isEmpty && isCertain(inHeader: token, endpoint)
        default: false
        }
    }

    private func isCertain(_ query: Setting<QueryTemplate>?, _ endpoint: LocatedEndpoint) -> Bool {
        switch query?.set {
        case nil: true
        case .items(let items): areCertain(items, endpoint)
        case .text: false
        }
    }

    private func areCertain(_ items: [Named<Setting<[ValueTemplate]>>], _ endpoint: LocatedEndpoint) -> Bool {
        items.allSatisfy { ($0.value.set ?? []).allSatisfy { isCertain($0, endpoint) } }
    }

    private func isCertain(_ body: Setting<Body>?, _ endpoint: LocatedEndpoint) -> Bool {
        switch body?.set?.content {
        case nil, .base64: true
        case .json(let value): isCertain(value, endpoint)
        case .text(let template): isCertain(template, endpoint)
        case .form(let fields): areCertain(fields, endpoint)
        case .multipart, .file, .graphQL: false
        }
    }

    // MARK: Templates

    private func isCertain(_ template: ValueTemplate, _ endpoint: LocatedEndpoint) -> Bool {
        switch template {
        case .plain, .scalar: true
        case .text(let text): isCertain(text, endpoint)
        case .list(let elements, _): elements.allSatisfy { isCertain($0, endpoint) }
        case .object(let members, _): members.allSatisfy { isCertain($0.value, endpoint) }
        case .choice: false
        }
    }

    private func isCertain(inHeader template: ValueTemplate, _ endpoint: LocatedEndpoint) -> Bool {
        switch template {
        case .plain(let value):
            switch value.kind {
            case .number, .true, .false: true
            case .string: value.string?.isHeaderText ?? false
            case .null, .array, .object, .invalid: false
            }
        case .scalar(let value, _): value.plainText.isHeaderText
        case .text(let text):
            isCertain(text, endpoint)
                && text.pieces.allSatisfy { if case .literal(let text) = $0 { text.isHeaderText } else { true } }
        case .list, .object, .choice: false
        }
    }

    private func isCertain(_ template: TextTemplate, _ endpoint: LocatedEndpoint) -> Bool {
        template.pieces.allSatisfy { piece in
            guard case .placeholder(let placeholder) = piece else { return true }
            switch placeholder.value {
            case .name(let name): return endpoint.has(name) || variables.contains(name)
            case .secret(let name): return calls.environment.secret(name) != nil
            case .generated: return true
            // `HOME` has its real value and not a stand-in, because it is used in paths.
            case .processVariable(let name): return name != "HOME"
            case .computed: return false
            case .capture(let alias, let name):
                guard let need = endpoint.needs.first(where: { $0.name == alias }) else { return false }
                return calls.needed(by: need)?.definition.captures.contains { $0.name == name } ?? false
            }
        }
    }
}

extension LocatedEndpoint {
    /// Whether the endpoint has a param of this name that has another kind than `kind`.
    fileprivate func has(_ name: String, besides kind: Parameter.Kind? = nil) -> Bool {
        parameters.contains { $0.name == name && $0.value.kind != kind }
    }
}

extension TransferLayer {
    fileprivate var needsNoFile: Bool {
        entries.allSatisfy { if case .setting = $0.change { true } else { false } }
    }
}

extension String {
    /// Whether the string is valid in a header's value.
    fileprivate var isHeaderText: Bool { utf8.allSatisfy { $0 >= .space && $0 != 0x7F } }
}

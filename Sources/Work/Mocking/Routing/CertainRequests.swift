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
/// Without this shortcut, `serve` takes about twice the processor time to start with 10,000 endpoints.
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
            LocatedEndpoint(typed: "base").switches(in: calls.environment).isEmpty
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
        let request = endpoint.definition.request
        let overlay = endpoint.definition.environments[named: calls.environment.name]
        guard endpoint.layers(in: calls.environment.name).allSatisfy({ isCertain($0, endpoint) }),
            isCertain(request.body, endpoint), isCertain(overlay?.body, endpoint),
            endpoint.switches(in: calls.environment).isEmpty
        else { return nil }
        guard let template = (overlay?.path ?? request.path)?.set else { return basePath }
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

    private func isCertain(_ layer: RequestLayer, _ endpoint: LocatedEndpoint) -> Bool {
        guard layer.baseURL == nil, layer.scheme == nil, layer.host == nil, layer.port == nil, layer.basePath == nil,
            layer.proxy == nil, layer.noProxy == nil
        else { return false }
        guard isCertain(layer.timeout), isCertain(layer.retry), isCertain(layer.redirects), isCertain(layer.tls),
            layer.transfer.needsNoFile
        else { return false }
        if case .text? = layer.query?.set { return false }
        switch layer.auth?.set?.credentials {
        case nil: break
        // A stand-in is never blank, so a token with a placeholder is never blank either.
        case .bearer(let token): guard !token.placeholders.isEmpty, token.isHeaderText else { return false }
        default: return false
        }
        return layer.headers.allSatisfy { header in
            !header.name.isSameHeader(as: "Host") && !header.name.isSameHeader(as: "Content-Length")
                && (header.value.set ?? []).allSatisfy(\.isHeaderText)
        } && areCertain(layer.placeholders, endpoint)
    }

    private func isCertain(_ setting: Setting<TransferLayer>?) -> Bool {
        setting?.set?.needsNoFile ?? true
    }

    private func isCertain(_ body: Setting<Body>?, _ endpoint: LocatedEndpoint) -> Bool {
        guard let body = body?.set else { return true }
        return switch body.content {
        case .json, .text, .form, .base64: areCertain(body.placeholders, endpoint)
        case .multipart, .file, .graphQL: false
        }
    }

    private func areCertain(_ placeholders: [Located<Placeholder>], _ endpoint: LocatedEndpoint) -> Bool {
        placeholders.allSatisfy { placeholder in
            switch placeholder.value {
            case .name(let name): return endpoint.has(name) || variables.contains(name)
            case .secret(let name): return calls.environment.secret(name) != nil
            case .generated: return true
            // `HOME` has its real value and not a stand-in, because it is used in paths.
            case .processVariable(let name): return name != "HOME"
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

extension ValueTemplate {
    /// Whether the literal parts are valid in a header's value.
    fileprivate var isHeaderText: Bool {
        switch self {
        case .plain(let value):
            switch value.kind {
            case .number, .true, .false: true
            case .string: value.string?.isHeaderText ?? false
            case .null, .array, .object, .invalid: false
            }
        case .scalar(let value, _): value.plainText.isHeaderText
        case .text(let text):
            text.pieces.allSatisfy { if case .literal(let text) = $0 { text.isHeaderText } else { true } }
        case .list, .object, .choice: false
        }
    }
}

extension String {
    /// Whether the string is valid in a header's value.
    fileprivate var isHeaderText: Bool { utf8.allSatisfy { $0 >= .space && $0 != 0x7F } }
}

import Foundation
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Finds the part of the URL that requests share, and moves this part from the paths to a base URL.
///
/// The most frequent base becomes the base of the environment, and the requests with this base become relative to it. Each other
/// request keeps its own base, and no credential of the environment is sent to that base.
struct BasePass {
    /// The base URL of the environment that the requests are imported into; nil if this environment has none.
    let environmentBase: String?
    /// Whether the environment that the requests are imported into already has credentials.
    var hasAuth = false
    /// Whether the environment that the requests are imported into may get a server that the source names.
    var takesServer = true
    /// The variables of the environment that the requests are imported into.
    var variables: Set<String> = []

    struct Result {
        /// The base to write to the environment; nil if the environment already has a base.
        var newEnvironmentBase: String?
    }

    func apply(to api: inout ImportedAPI) -> Result {
        fillOrigins(of: &api)
        let haveBases = api.environments.contains { $0.baseURL != nil }
        let environmentBase = followEnvironments(of: &api)
        let isExported = api.isExported
        var origins: [String: [Int]] = [:]
        for (index, request) in api.requests.enumerated() {
            if let base = request.base { origins[base, default: []].append(index) }
        }
        let ranked = origins.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        guard let first = ranked.first else { return Result(newEnvironmentBase: nil) }
        var result = Result()
        for (origin, indices) in ranked {
            // Nothing is appended to an origin that is only a variable: text right after it could become part of the host.
            let isVariable = TemplateText(origin).isOnePlaceholder
            let base = isVariable || isExported ? origin : origin + shared(indices.map { api.requests[$0].path })
            if let environmentBase, let left = Self.path(of: environmentBase, origin: origin),
                indices.allSatisfy({ api.requests[$0].path.isBelow(left) })
            {
                for index in indices { api.requests[index].makeRelative(to: left) }
                continue
            }
            let prefix = String(base.dropFirst(origin.count))
            for index in indices { api.requests[index].makeRelative(to: prefix) }
            if isVariable { for index in indices { api.requests[index].dropSlash(below: "") } }
            if origin == first.key, environmentBase == nil, takesServer, !haveBases, isKnown(origin, in: api) {
                result.newEnvironmentBase = base
            } else {
                for index in indices { api.requests[index].base = base }
            }
        }
        return result
    }

    /// Whether an environment can have this base: the base contains no params.
    private func isKnown(_ base: String, in api: ImportedAPI) -> Bool {
        TemplateText(base).placeholders.allSatisfy { name in
            name.hasPrefix("$") || name.hasPrefix("secret.") || variables.contains(name)
                || api.environments.contains { ($0.variables + $0.secrets).contains { $0.name == name } }
        }
    }

    /// If most requests begin with a variable such as `{{baseUrl}}`, and each environment has a URL for it, makes these URLs the
    /// bases of the environments.
    private func fillOrigins(of api: inout ImportedAPI) {
        guard let base = mostUsedBase(of: api), TemplateText(base).isOnePlaceholder, !api.environments.isEmpty,
            case .placeholder(let name)? = TemplateText(base).pieces.first
        else { return }
        let values = api.environments.map { environment in
            environment.variables.first { $0.name == name }.flatMap { variable -> String? in
                guard case .string(let text) = variable.value, text.contains("://"),
                    TemplateText(text).literal.map({ ServerAddress.complaint(about: $0) == nil }) ?? true
                else { return nil }
                return text.hasSuffix("/") ? String(text.dropLast()) : text
            }
        }
        guard values.allSatisfy({ $0 != nil }), api.environments.allSatisfy({ $0.baseURL == nil }) else { return }
        let indices = api.requests.indices.filter { api.requests[$0].base == base }
        let shared = api.isExported ? "" : shared(indices.map { api.requests[$0].path })
        for index in indices {
            api.requests[index].base = nil
            api.requests[index].path = String(api.requests[index].path.dropFirst(shared.count))
        }
        let isUsedElsewhere =
            api.requests.contains { $0.placeholders.contains(name) }
            || api.environments.contains { $0.variables.contains { $0.value.compact.contains("{{\(name)}}") } }
        for (index, value) in values.enumerated() {
            api.environments[index].baseURL = value.map { $0 + shared }
            if !isUsedElsewhere { api.environments[index].variables.removeAll { $0.name == name } }
        }
    }

    /// The base of most requests; nil if a request has no base.
    private func mostUsedBase(of api: ImportedAPI) -> String? {
        var counts = Dictionary(grouping: api.requests, by: \.base).mapValues(\.count)
        if counts.keys.contains(nil) { return nil }
        // `export` writes the base of the environment as a variable, and all other bases as URLs.
        let variables = counts.filter { $0.key.map { TemplateText($0).isOnePlaceholder } == true }
        if api.isExported, !variables.isEmpty { counts = variables }
        return counts.max { ($0.value, $1.key ?? "") < ($1.value, $0.key ?? "") }?.key
    }

    /// Gives requests without a base the base of the environments, and returns the base of the requests' environment. An existing
    /// environment keeps its server and its credentials, so requests that need another server or other credentials get a separate
    /// base or `auth`.
    private func followEnvironments(of api: inout ImportedAPI) -> String? {
        guard let stated = api.environments.first?.baseURL else { return environmentBase }
        let isOther = api.environments[0].name == nil && environmentBase.map { $0 != stated } ?? !takesServer
        let origin = isOther ? Self.origin(of: stated) : ""
        let hasPath = api.environments.contains { $0.baseURL.map { Self.origin(of: $0) != $0 } ?? false }
        for index in api.requests.indices {
            if api.requests[index].base == nil {
                if isOther {
                    api.requests[index].base = origin
                    let path = api.requests[index].path
                    api.requests[index].path = stated.dropFirst(origin.count) + (path.hasPrefix("/") ? "" : "/") + path
                } else if hasPath {
                    api.requests[index].dropSlash(below: Self.path(of: stated))
                }
            }
            if isOther || hasAuth, api.environments[0].name == nil, api.requests[index].auth == .inherited {
                api.requests[index].auth = api.environments[0].auth
            }
        }
        if isOther { api.environments[0].baseURL = nil }
        if isOther || hasAuth, api.environments[0].name == nil { api.environments[0].auth = .inherited }
        return isOther ? environmentBase : environmentBase ?? stated
    }

    /// Scheme, host and port of a URL.
    private static func origin(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else {
            return url.split(separator: "/").first.map(String.init) ?? ""
        }
        return String(url[..<(url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex)])
    }

    private static func path(of base: String) -> String {
        base.contains("://") ? String(base.dropFirst(origin(of: base).count)) : ""
    }

    /// The path of a base that has this origin; nil if the base has another origin.
    private static func path(of base: String, origin: String) -> String? {
        guard base.hasPrefix(origin) else { return nil }
        let rest = String(base.dropFirst(origin.count))
        guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
        return rest.hasSuffix("/") ? String(rest.dropLast()) : rest
    }

    /// The segments with which every path begins. For a single path, only segments such as `v1` or `api`.
    private func shared(_ paths: [String]) -> String {
        guard var shared = paths.first?.split(separator: "/").map(String.init) else { return "" }
        let isOne = Set(paths).count == 1
        for path in paths {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            // The last segment, with a slash after it if there is one, always stays in the path.
            let common = zip(shared, segments.dropLast(segments.last?.isEmpty == true ? 2 : 1)).prefix { $0 == $1 }
                .count
            shared = Array(shared.prefix(common))
        }
        shared = Array(shared.prefix { !$0.contains("{{") && !SegmentKind.isValue($0) })
        // After the base is removed, each path must begin with a word. If all paths begin with the same word, this word names the
        // group and stays in the path.
        let next = Set(paths.map { $0.split(separator: "/").dropFirst(shared.count).first.map(String.init) ?? "" })
        if isOne || next.count < 2
            || next.contains(where: { $0.isEmpty || $0.contains("{{") || SegmentKind.isValue($0) })
        {
            let general = shared.prefix { SegmentKind.isGeneral($0) }.count
            shared.removeLast(min(shared.count - general, 1))
            if isOne { shared = Array(shared.prefix(general)) }
        }
        return shared.isEmpty ? "" : "/" + shared.joined(separator: "/")
    }
}

enum SegmentKind {
    /// Whether a segment says nothing about the purpose of a request: `v2`, `2.0`, `api`, `rest`.
    static func isGeneral(_ segment: some StringProtocol) -> Bool {
        let bytes = Array(segment.lowercased().utf8)
        if bytes == Array("api".utf8) || bytes == Array("rest".utf8) || bytes.starts(with: "index.".utf8) {
            return true
        }
        if bytes.contains(UInt8(ascii: ".")), bytes.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) {
            return true
        }
        guard bytes.first == UInt8(ascii: "v"), bytes.count > 1, bytes[1].isDigit else { return false }
        return bytes.dropFirst().allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: ".") } && bytes.count <= 8
    }

    /// Whether a segment is a number or a UUID. Such a segment is probably an id.
    static func isValue(_ segment: some StringProtocol) -> Bool {
        let bytes = Array(segment.utf8)
        if !bytes.isEmpty, bytes.count <= 18, bytes.allSatisfy(\.isDigit) { return true }
        return bytes.count == 36 && UUID(uuidString: String(segment)) != nil
    }
}

extension String {
    /// Whether the path is equal to the prefix, or begins with the prefix and a `/`.
    fileprivate func isBelow(_ prefix: String) -> Bool {
        prefix.isEmpty || (hasPrefix(prefix) && dropFirst(prefix.count).hasPrefix("/"))
    }
}

extension ImportedRequest {
    /// Removes the base, and the prefix from the path. If the base has no path, the path still begins with a `/`.
    fileprivate mutating func makeRelative(to prefix: String) {
        base = nil
        path = String(path.dropFirst(prefix.count))
        if !prefix.isEmpty { dropSlash(below: prefix) }
    }

    /// Removes the slash at the start of the path, so that the path continues the path of the base. If the path is only a slash,
    /// the result is the base's path with a slash, because an empty path would mean the base's path without one.
    fileprivate mutating func dropSlash(below base: String) {
        if path == "/", !base.isEmpty { path = base + "/" } else if path.hasPrefix("/") { path.removeFirst() }
    }
}

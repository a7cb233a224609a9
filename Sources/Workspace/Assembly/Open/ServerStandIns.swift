import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// What takes the place of open values in base URLs where a stand-in alone would make no valid URL: a number for a port, because a
/// port can only be a number, and an address with a scheme for a value that is the start of the URL.
package struct ServerStandIns: Sendable {
    private var ports: [String: OpenValue] = [:]
    /// The stand-ins of values with which base URLs start, each after `scheme`.
    private var starts: Set<String> = []
    private static let scheme = "http://"

    /// Replaces open values in the ports of a request's layers, and at the start of their base URLs.
    ///
    /// - Parameters:
    ///   - opensStarts: Whether values at the start of base URLs are replaced.
    ///   - value: The open value that a placeholder stands for; nil if the placeholder has a value.
    mutating func replace(
        in layers: inout [RequestLayer], opensStarts: Bool, _ value: (Placeholder) -> OpenValue?
    ) {
        let texts = layers.flatMap { layer in
            [layer.baseURL?.set?.source, layer.port?.set?.source.compact].compactMap(\.self)
        }
        var numbers = (1...65535).reversed().lazy.map(String.init).filter { number in
            !texts.contains { $0.contains(number) }
        }.makeIterator()
        func number(for placeholder: Placeholder) -> String? {
            guard let value = value(placeholder), let number = numbers.next() else { return nil }
            ports[number] = value
            return number
        }
        for index in layers.indices {
            if let setting = layers[index].baseURL, let template = setting.set,
                let position = template.portPosition, case .placeholder(let placeholder) = template.pieces[position],
                let number = number(for: placeholder.value)
            {
                var pieces = template.pieces
                pieces[position] = .literal(number)
                layers[index].baseURL = Setting(
                    TextTemplate(pieces: pieces, place: template.place), at: setting.place)
            }
            if opensStarts, let setting = layers[index].baseURL, let template = setting.set,
                let placeholder = template.start, let value = value(placeholder)
            {
                let start = Self.scheme + StandIn.text(for: value)
                starts.insert(start)
                layers[index].baseURL = Setting(
                    TextTemplate(pieces: [.literal(start)] + template.pieces.dropFirst(), place: template.place),
                    at: setting.place)
            }
            if let setting = layers[index].port, case .text(let template)? = setting.set,
                let placeholder = template.onlyPlaceholder, let number = number(for: placeholder.value)
            {
                layers[index].port = Setting(.scalar(.number(number), at: template.place), at: setting.place)
            }
        }
    }

    /// The URL with the stand-ins of open values alone in place of its port number and of its start.
    package func restored(_ url: String) -> String {
        let whole = restoredPort(url)
        return starts.contains(where: whole.hasPrefix) ? String(whole.dropFirst(Self.scheme.count)) : whole
    }

    private func restoredPort(_ url: String) -> String {
        guard !ports.isEmpty, let start = url.firstRange(of: "://")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let colon = url[start..<end].lastIndex(of: ":"),
            let value = ports[String(url[url.index(after: colon)..<end])]
        else { return url }
        return url[...colon] + StandIn.text(for: value) + url[end...]
    }
}

extension TextTemplate {
    /// The position of a placeholder that is the port of a URL: `https://{{host}}:{{port}}/v1`.
    var portPosition: Int? {
        let isLiteral = pieces.allSatisfy { if case .literal = $0 { true } else { false } }
        if isLiteral { return nil }
        var head = ""
        for (index, piece) in pieces.enumerated() {
            guard case .literal(let text) = piece else {
                let isLast = index + 1 == pieces.count
                var rest: Substring = ""
                if !isLast, case .literal(let next) = pieces[index + 1] { rest = next[...] }
                if head.hasSuffix(":"), isLast || rest.hasPrefix("/") { return index }
                head += "x"
                continue
            }
            head += text
            if head.replacing("://", with: "").contains("/") { return nil }
        }
        return nil
    }
}

extension TextTemplate {
    /// The placeholder at the start of a URL: `{{server}}/v1`; nil if a scheme follows the placeholder.
    fileprivate var start: Placeholder? {
        guard case .placeholder(let placeholder)? = pieces.first else { return nil }
        if pieces.count > 1, case .literal(let next) = pieces[1], next.hasPrefix("://") { return nil }
        return placeholder.value
    }
}

extension RequestLayer {
    /// Whether a value in the port or at the start of the base URL may be open.
    var hasOpenServer: Bool {
        if case .text? = port?.set { return true }
        return baseURL?.set.map { $0.portPosition != nil || $0.start != nil } ?? false
    }
}

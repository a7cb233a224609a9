import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Numbers that replace open values in the port of a base URL, because a port can only be a number.
package struct PortStandIns: Sendable {
    private var values: [String: OpenValue] = [:]

    /// Replaces open values in the ports of a request's layers with numbers.
    ///
    /// - Parameter value: The open value that a placeholder stands for; nil if the placeholder has a value.
    mutating func replacePorts(in layers: inout [RequestLayer], _ value: (Placeholder) -> OpenValue?) {
        let texts = layers.flatMap { layer in
            [layer.baseURL?.set?.source, layer.port?.set?.source.compact].compactMap(\.self)
        }
        var numbers = (1...65535).reversed().lazy.map(String.init).filter { number in
            !texts.contains { $0.contains(number) }
        }.makeIterator()
        func number(for placeholder: Placeholder) -> String? {
            guard let value = value(placeholder), let number = numbers.next() else { return nil }
            values[number] = value
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
            if let setting = layers[index].port, case .text(let template)? = setting.set,
                let placeholder = template.onlyPlaceholder, let number = number(for: placeholder.value)
            {
                layers[index].port = Setting(.scalar(.number(number), at: template.place), at: setting.place)
            }
        }
    }

    /// The URL with the stand-in of an open value in place of its port number.
    package func restored(_ url: String) -> String {
        guard !values.isEmpty, let start = url.firstRange(of: "://")?.upperBound else { return url }
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let colon = url[start..<end].lastIndex(of: ":"),
            let value = values[String(url[url.index(after: colon)..<end])]
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

extension RequestLayer {
    var hasOpenPort: Bool {
        if case .text? = port?.set { return true }
        return baseURL?.set?.portPosition != nil
    }
}

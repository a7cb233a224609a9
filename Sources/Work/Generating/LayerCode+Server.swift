import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// The server, and the settings of the connection.
extension LayerCode {
    mutating func addBasePath(_ template: TextTemplate?) {
        guard let template, !template.pieces.isEmpty else {
            return add(.basePath, [.init(".basePath", ["\"\""])])
        }
        if let text = template.literal { return add(.basePath, [.init(".basePath", [code.literal(text)])]) }
        let path = code.interpolated(code.pathPieces(template))
        add(.basePath, [.init(".basePath", ["filling: \(path)"])], standIn: [])
    }

    mutating func addPort(_ template: ValueTemplate?) {
        guard let template else { return add(.port, [.init(".port", ["nil"])]) }
        if case .number(let text)? = template.literal {
            return add(.port, [.init(".port", [text])])
        }
        let value = code.required(code.jsonExpression(template), "port")
        add(
            .port,
            [.init(".port", ["\(CodeMark.throwing.rawValue)values.integer(\(value.text))"])], standIn: [])
    }

    /// The base URL as code. Values before the path are inserted unchanged. Values in the path are percent-encoded, so that each
    /// value stays inside its segment.
    mutating func baseURL(_ template: TextTemplate) -> String {
        if template.onlyPlaceholder != nil { return code.required(code.text(template), "baseURL").text }
        var isInPath = false
        var written = ""
        let pieces = template.pieces.enumerated().map { index, piece -> RequestCode.Piece in
            switch piece {
            case .literal(let text):
                if isInPath { return .written(PercentEncoding.path(text)) }
                written += text
                let rest = written.firstRange(of: "://").map { written[$0.upperBound...] } ?? written[...]
                let startsPath = rest.contains("/") || index == 1 && text.hasPrefix("/")
                guard startsPath else { return .written(text) }
                isInPath = true
                let head = text.firstRange(of: "://")?.upperBound ?? text.startIndex
                let slash = text[head...].firstIndex(of: "/") ?? text.startIndex
                return .written(text[..<slash] + PercentEncoding.path(String(text[slash...])))
            case .placeholder(let placeholder):
                let value = code.required(code.code(of: placeholder), inText: placeholder.value.text).asText
                written += "x"
                return .value(isInPath ? "\\(PercentEncoding.segment(\(value.text)))" : "\\(\(value.text))")
            }
        }
        let isPlain = pieces.allSatisfy { if case .written = $0 { true } else { false } }
        guard isPlain else { return code.interpolated(pieces) }
        return code.literal(pieces.map { if case .written(let text) = $0 { text } else { "" } }.joined())
    }

    // MARK: Transfer

    mutating func addNoProxy(_ hosts: [ValueTemplate]) {
        let value: String
        switch code.texts(hosts) {
        case .none: value = "\"\""
        case .one(let host): value = code.required(host, "noProxy").text
        case .many(let values): value = "(\(values.text)).joined(separator: \",\")"
        }
        add(.setting("noProxy"), [.init(".setting", [".noProxy", value])])
    }

    mutating func add(_ entry: TransferLayer.Entry) {
        guard let row = TransferRow.named(entry.name) else { return }
        let subject = RequestSubject.setting(row.name)
        let key = ".\(row.constant)"
        switch entry.change {
        case .file(_, let path):
            let path = code.required(code.text(path), row.name)
            add(subject, [.init(".setting", [key, path.text])], standIn: [])
            note(
                "the path of a file of certificates is relative to the app's current folder, not to the workspace",
                at: entry.place
            )
        case .setting(let change):
            guard let text = change.value else {
                return add(subject, [.init(".removingSetting", [key])])
            }
            guard let value = Self.value(of: row, text) else {
                return note("the setting \(row.name) is not converted", at: entry.place)
            }
            if row.name.hasPrefix("retry.") { note("retries need a RetryMiddleware in the client", at: entry.place) }
            add(subject, [.init(".setting", [key, value])])
        }
    }

    /// The value of a setting as Swift code; nil if there is no such code.
    private static func value(of row: TransferRow, _ text: String) -> String? {
        switch row.swift(text) {
        case .code(let code): code
        case .integer(let number): number.swiftLiteral
        case .string(let text): SwiftText.literal(text)
        case .duration(let duration): duration.swiftLiteral
        case nil: nil
        }
    }

    /// The constant for a standard method.
    static func method(constant token: String) -> String? {
        HTTPMethod.standard.contains { $0.token == token } ? ".\(token.lowercased())" : nil
    }

    mutating func addProxy(_ proxy: ProxyTemplate?) {
        var arguments = ["\"\""]
        if let proxy {
            arguments = [code.required(code.text(proxy.url), "proxy").text]
            if let user = proxy.user, let password = proxy.password {
                let (user, password) = (credential(user), credential(password))
                arguments.append("account: Account(user: \(user), password: \(password))")
            }
            if proxy.authentication == .digest { arguments.append("usesDigest: true") }
            if proxy.isTunnel { arguments.append("isTunnel: true") }
        }
        let settings = "ProxySettings(\(arguments.joined(separator: ", ")))"
        add(.setting("proxy"), [.init(".setting", [".proxy", settings])], standIn: [])
    }
}

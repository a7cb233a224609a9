import Foundation
import ReqcliText
import RequestBuilding

@testable import Importing

/// The request that a curl command sends, worked out from its words alone, to compare the endpoint with.
struct CurlStatement {
    private let command: CurlCommand
    private let target: CurlCommand.Target

    init(_ command: CurlCommand, _ target: CurlCommand.Target) {
        self.command = command
        self.target = target
    }

    /// Nil where a file or a range decides what is sent.
    var stated: StatedRequest? {
        guard let word = target.url.word, target.upload == nil, command.requestTarget == nil else { return nil }
        var url = word.standIn
        if !url.contains("://") { url = "http://" + url }
        if let fragment = url.firstIndex(of: "#") { url = String(url[..<fragment]) }
        url = url.withoutAccount
        var query: [String] = []
        if command.sendsDataAsQuery {
            guard let text = Self.joined(command.data) else { return nil }
            query.append(text)
        }
        for piece in command.query {
            guard let text = Self.joined([piece]) else { return nil }
            query.append(text)
        }
        for text in query where !text.isEmpty {
            if !url.contains("?") {
                url += url.dropFirst(8).contains("/") ? "?" : "/?"
            } else if !url.hasSuffix("&") {
                url += "&"
            }
            url += text
        }
        var body: [UInt8]?
        if command.form.isEmpty {
            guard let text = command.sendsDataAsQuery ? "" : Self.joined(command.data) else { return nil }
            body = Array(text.utf8)
        }
        var stated = StatedRequest(
            method: command.method(for: target).text ?? "GET", url: url, headers: headers, body: body)
        if !command.form.isEmpty {
            stated.setParts(
                command.form.map { part in
                    guard case .text(let word) = part.content else { return .init(part.name.standIn, text: nil) }
                    return .init(part.name.standIn, text: word.standIn)
                })
        }
        return stated
    }

    /// The value of Authorization, unless the server has to ask first.
    private var credentials: String? {
        if let token = command.bearer { return command.authKinds.isEmpty ? "Bearer " + token.standIn : nil }
        if let kind = command.authKinds.last?.value, kind != .basic { return nil }
        guard var account = command.user?.standIn ?? target.url.word?.standIn.account else {
            return nil
        }
        if !account.contains(":") { account += ":" }
        return "Basic " + Data(account.utf8).base64EncodedString()
    }

    private var headers: [StatedRequest.Header] {
        var headers = command.headers.compactMap { header in
            header.value.map { StatedRequest.Header(header.name.standIn, $0.standIn) }
        }
        func add(_ name: String, _ value: String) {
            if command.headers.contains(where: { $0.name.standIn.lowercased() == name.lowercased() }) { return }
            headers.append(StatedRequest.Header(name, value))
        }
        if let credentials { add("Authorization", credentials) }
        if command.isJSON {
            add("Content-Type", "application/json")
            add("Accept", "application/json")
        } else if !command.data.isEmpty, !command.sendsDataAsQuery, command.form.isEmpty {
            add("Content-Type", "application/x-www-form-urlencoded")
        }
        if BrowserNoise.marks(headers.map { ($0.name, $0.value) }) {
            let method = command.method(for: target).text ?? "GET"
            headers.removeAll { BrowserNoise.contains($0.name, $0.value, method: method) }
        }
        return headers
    }

    /// The data as they are sent; nil if a file is among them.
    private static func joined(_ data: [CurlData]) -> String? {
        var text = ""
        for (index, piece) in data.enumerated() {
            guard case .text(let word) = piece.content else { return nil }
            if index > 0 { text += piece.separator }
            let value = word.standIn
            text +=
                (piece.name.map { $0.standIn + "=" } ?? "")
                + (piece.kind == .urlEncoded ? PercentEncoding.queryComponent(value) : value)
        }
        return text
    }
}

extension ShellWord {
    /// The word with a stand-in for each variable.
    fileprivate var standIn: String {
        parts.map { part in
            switch part.content {
            case .text(let text): text
            case .variable(let name, _): StatedRequest.standIn(name)
            }
        }.joined()
    }
}

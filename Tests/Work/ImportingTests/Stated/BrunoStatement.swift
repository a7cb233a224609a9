import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

@testable import Importing

/// The request that Bruno sends for a file, worked out from its blocks alone, to compare the endpoint with.
struct BrunoStatement {
    let file: BruFile
    /// What the collection and the folders say, from the outside in.
    let levels: [BrunoLevel]
    let values: StatedValues

    init(_ file: BruFile, _ levels: [BrunoLevel], _ values: StatedValues) {
        self.file = file
        self.levels = levels
        let own = (file["vars:pre-request"] ?? file["vars"])?.pairs ?? []
        self.values = values.adding(levels.dropFirst().map(\.variables.statedValues) + [own.statedValues])
    }

    func stated(method: String, _ start: BruBlock) -> StatedRequest {
        let raw = (start.value("url") ?? "").prefix { $0 != "#" }
        let path = String(raw.prefix { $0 != "?" })
        var url = text(ofPath: path)
        if !url.contains("://"), !url.hasPrefix(StatedRequest.unknown) { url = "http://" + url }
        var stated = StatedRequest(method: method, url: url.withoutAccount, headers: headers, body: [])
        if let params = file["params:query"] ?? file["query"] {
            for pair in params.pairs where pair.isEnabled { stated.addQuery("\(pair.name)=\(values.text(pair.value))") }
        } else {
            stated.url += values.text(String(raw.dropFirst(path.count)))
        }
        addAuth(start.value("auth") ?? "inherit", to: &stated)
        if let account = url.account?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) {
            stated.setBasic(user: String(account[0]), password: account.count > 1 ? String(account[1]) : "")
        }
        addBody(start.value("body") ?? "none", to: &stated)
        return stated
    }

    private func text(ofPath path: String) -> String {
        let variables = (file["params:path"]?.pairs ?? []).enabledValues
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard segment.hasPrefix(":"), segment.utf8.count > 1 else { return values.text(String(segment)) }
            let value = variables[String(segment.dropFirst())] ?? ""
            return value.isEmpty ? StatedRequest.unknown : values.text(value)
        }.joined(separator: "/")
    }

    // MARK: Headers and auth

    private var headers: [StatedRequest.Header] {
        var headers: [StatedRequest.Header] = []
        for pairs in levels.map(\.headers) + [file["headers"]?.pairs ?? []] {
            let own = pairs.filter { $0.isEnabled && $0.name.isToken }
            // Those of the inside replace those of the outside.
            let names = Set(own.map { $0.name.lowercased() })
            headers.removeAll { names.contains($0.name.lowercased()) }
            headers += own.map { StatedRequest.Header($0.name, values.text($0.value)) }
        }
        return headers
    }

    private func addAuth(_ mode: String, to stated: inout StatedRequest) {
        let auth = BrunoAuth(mode, file) ?? levels.reversed().lazy.compactMap(\.auth).first
        func value(_ name: String) -> String { values.text(auth?.block?.value(name) ?? "") }
        switch auth?.mode {
        case "bearer": stated.addHeader("Authorization", "Bearer " + value("token"))
        case "basic": stated.setBasic(user: value("username"), password: value("password"))
        case "apikey":
            if auth?.block?.value("placement")?.lowercased().contains("query") == true {
                stated.addQuery("\(value("key"))=\(PercentEncoding.queryComponent(value("value")))")
            } else {
                stated.addHeader(value("key"), value("value"))
            }
        case nil, "none", "digest": break
        // A note says what to do.
        default: stated.openHeaders.insert("authorization")
        }
    }

    // MARK: Body

    private func addBody(_ mode: String, to stated: inout StatedRequest) {
        switch mode {
        case "json", "text", "xml", "sparql":
            guard let block = file["body:" + mode] ?? (mode == "json" ? file["body"] : nil) else { return }
            stated.body = Array(values.text(block.text).utf8)
            let types = [
                "json": "application/json", "text": "text/plain", "xml": "application/xml",
                "sparql": "application/sparql-query",
            ]
            stated.addHeader("Content-Type", types[mode] ?? "")
        case "form-urlencoded", "formUrlEncoded":
            guard let block = file["body:form-urlencoded"] else { return }
            stated.setForm(block.pairs.filter(\.isEnabled).map { ($0.name, values.text($0.value)) })
        case "multipart-form", "multipartForm":
            guard let block = file["body:multipart-form"] else { return }
            stated.setParts(block.pairs.filter(\.isEnabled).flatMap { parts($0) })
        case "graphql":
            guard let query = file["body:graphql"] else { return }
            stated.setGraphQL(
                values.text(query.text.trimmed), variables: file["body:graphql:vars"].map { values.text($0.text) } ?? ""
            )
        case "none": break
        default: stated.setFile()
        }
    }

    private func parts(_ pair: BruPair) -> [StatedRequest.Part] {
        let text =
            pair.value.firstRange(of: "@contentType(").map { String(pair.value[..<$0.lowerBound]).trimmed }
            ?? pair.value
        guard text.hasPrefix("@file("), text.hasSuffix(")") else {
            return [StatedRequest.Part(pair.name, text: values.text(text))]
        }
        return text.dropFirst(6).dropLast().split(separator: "|").map { _ in StatedRequest.Part(pair.name, text: nil) }
    }
}

extension [BruPair] {
    /// The values of variables; without those that are disabled or empty.
    var statedValues: [String: String] {
        var values: [String: String] = [:]
        for pair in self where pair.isEnabled && !pair.value.isEmpty {
            values[pair.name.hasPrefix("@") ? String(pair.name.dropFirst()) : pair.name] = pair.value
        }
        return values
    }
}

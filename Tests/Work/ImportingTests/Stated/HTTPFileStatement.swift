import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

@testable import Importing

/// The request that an editor sends for a block of an .http file, worked out from its lines alone, to compare the endpoint with.
struct HTTPFileStatement {
    let block: HTTPFileBlock
    let values: StatedValues

    var stated: StatedRequest {
        let (method, text) = HTTPFileMapping.start(block.request.map(\.text)) ?? ("GET", "")
        var url = String(fill(text).prefix { $0 != "#" })
        var headers: [StatedRequest.Header] = []
        for line in block.headers {
            let sides = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0]).trimmed
            guard sides.count == 2, name.isToken, name.lowercased() != "content-length" else { continue }
            headers.append(StatedRequest.Header(name, fill(String(sides[1]).trimmed)))
        }
        if let host = headers.first(where: { $0.name.lowercased() == "host" })?.value, url.hasPrefix("/") {
            url = "http://\(host)\(url)"
            headers.removeAll { $0.name.lowercased() == "host" }
        } else if !url.contains("://"), !url.hasPrefix(StatedRequest.unknown) {
            url = "http://" + url
        }
        let isGraphQL = method == "GRAPHQL" || headers.contains { $0.name.lowercased() == "x-request-type" }
        var stated = StatedRequest(
            method: method == "GRAPHQL" ? "POST" : method, url: url.withoutAccount, headers: headers, body: [])
        if let account = url.account { stated.addAccount(account) }
        stated.readCredentials()
        isGraphQL ? addGraphQL(to: &stated) : addBody(to: &stated)
        return stated
    }

    private func fill(_ text: String) -> String {
        // `{{%name}}` is `{{name}}` percent-encoded.
        values.text(
            TemplateText(braced: text) { content in
                .placeholder(ParamNames.clean(content.hasPrefix("%") ? String(content.dropFirst()).trimmed : content))
            })
    }

    private func addBody(to stated: inout StatedRequest) {
        // The editors differ in the type of a body without one.
        stated.openHeaders.insert("content-type")
        guard !block.body.isEmpty else { return }
        let type = stated.headers.last { $0.name.lowercased() == "content-type" }.map { MediaType($0.value) }
        if type?.isMultipart == true {
            let boundary = stated.headers.last { $0.name.lowercased() == "content-type" }?.value.parameter("boundary")
            stated.setParts(boundary.map { parts(between: "--" + $0) } ?? [])
            if boundary == nil { stated.parts = nil }
            return
        }
        if block.body.contains(where: { HTTPFileMapping.path($0) != nil }) {
            stated.body = nil
            return
        }
        let lines = block.body.map(\.text)
        let text = type?.isForm == true ? lines.map(\.trimmed).joined() : lines.joined(separator: "\n")
        stated.body = Array(fill(text).utf8)
    }
}

extension HTTPFileStatement {
    /// The parts between lines of a boundary. One without a name has an empty one.
    private func parts(between boundary: String) -> [StatedRequest.Part] {
        let sections = block.body.split(omittingEmptySubsequences: false) { line in
            let text = line.text.trimmed
            return text == boundary || text == boundary + "--"
        }
        let isClosed = block.body.contains { $0.text.trimmed == boundary + "--" }
        return sections.dropFirst().dropLast(isClosed ? 1 : 0).map { lines in
            let head = lines.prefix { !$0.text.trimmed.isEmpty }
            let name = head.lazy.compactMap { $0.text.parameter("name") }.first
            let content = lines.dropFirst(head.count + 1)
            let isFile = content.count == 1 && content.allSatisfy { HTTPFileMapping.path($0) != nil }
            let text = isFile ? nil : fill(content.map(\.text).joined(separator: "\n"))
            return StatedRequest.Part(fill(name ?? ""), text: text)
        }
    }

    /// A document of GraphQL, and the JSON behind the last empty line. The editors differ in what they add.
    private func addGraphQL(to stated: inout StatedRequest) {
        stated.headers.removeAll { ["x-request-type", "content-type"].contains($0.name.lowercased()) }
        stated.openHeaders.insert("content-type")
        if block.body.isEmpty { return }
        if block.body.contains(where: { HTTPFileMapping.path($0) != nil }) {
            stated.body = nil
            return
        }
        var query = block.body[...]
        var variables = ""
        if let gap = block.body.lastIndex(where: { $0.text.trimmed.isEmpty }) {
            let rest = block.body[(gap + 1)...].map(\.text).joined(separator: "\n").trimmed
            // What an operation selects begins with a name.
            let first = rest.dropFirst().first { !$0.isWhitespace }
            if rest.hasPrefix("{"), first == "\"" || first == "}" {
                variables = fill(rest)
                query = block.body[..<gap]
            }
        }
        stated.setGraphQL(fill(query.map(\.text).joined(separator: "\n")).trimmed, variables: variables)
    }
}

extension String {
    /// The parameter of a header: `form-data; name="title"`.
    fileprivate func parameter(_ name: String) -> String? {
        for item in split(separator: ";").dropFirst() {
            let sides = item.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            if sides.count == 2, sides[0].lowercased() == name { return sides[1].filter { $0 != "\"" } }
        }
        return nil
    }
}

extension StatedRequest {
    fileprivate mutating func addAccount(_ account: String) {
        let sides = account.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        setBasic(user: String(sides[0]), password: sides.count > 1 ? String(sides[1]) : "")
    }

    /// Makes one header of `Basic user password`, which the editors encode.
    fileprivate mutating func readCredentials() {
        guard let index = headers.firstIndex(where: { $0.name.lowercased() == "authorization" }) else { return }
        let words = headers[index].value.split(separator: " ").map(String.init)
        switch words.first?.lowercased() {
        case "digest", "aws":
            headers.remove(at: index)
            openHeaders.insert("authorization")
        case "basic" where words.count == 3 || words.count == 2 && words[1].contains(":"):
            headers.remove(at: index)
            addAccount(words.dropFirst().joined(separator: ":"))
        default: break
        }
    }

}

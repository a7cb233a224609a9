import ASCII
import Foundation
import RequestBuilding
import SourceText

/// The request that an editor sends for a block of an .http file, worked out from its lines alone, to compare the endpoint with.
struct HTTPFileStatement {
    let block: HTTPFileBlock
    let values: StatedValues

    var stated: StatedRequest {
        let (method, text) = HTTPFileMapping.start(block.request.map(\.text))
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
        isGraphQL ? stated.leaveGraphQLOpen() : addBody(to: &stated)
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
        if block.body.contains(where: { HTTPFileMapping.path($0) != nil }) || type?.isMultipart == true {
            stated.body = nil
            if type?.isMultipart == true { stated.headers.removeAll { $0.name.lowercased() == "content-type" } }
            return
        }
        let lines = block.body.map(\.text)
        let text = type?.isForm == true ? lines.map(\.trimmed).joined() : lines.joined(separator: "\n")
        stated.body = Array(fill(text).utf8)
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

    fileprivate mutating func leaveGraphQLOpen() {
        body = nil
        headers.removeAll { ["x-request-type", "content-type"].contains($0.name.lowercased()) }
        openHeaders.insert("content-type")
    }
}

import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
import ReqcliText
import RequestBuilding

@testable import Importing

/// The request that Hurl sends for an entry, worked out from its lines alone, to compare the endpoint with.
struct HurlStatement {
    let entry: HurlEntry
    let values: StatedValues

    var stated: StatedRequest {
        var url = String(values.text(entry.url).prefix { $0 != "#" })
        let account = url.account
        url = url.withoutAccount
        var stated = StatedRequest(method: entry.method, url: url, headers: [], body: [])
        var pairs = entry.request.headers
        var cookies: [String] = []
        var user: String?
        for section in entry.request.sections {
            switch section.name {
            case "QueryStringParams", "Query":
                for pair in section.pairs {
                    stated.addQuery(fill(pair).map { PercentEncoding.queryComponent($0) }.joined(separator: "="))
                }
            case "Cookies": cookies += section.pairs.map { fill($0).joined(separator: "=") }
            case "BasicAuth": user = section.pairs.last.map { fill($0).joined(separator: ":") } ?? user
            case "Options":
                for pair in section.pairs {
                    switch pair.name.literal {
                    case "user": user = values.text(pair.value)
                    case "header": pairs.append(pair.header)
                    default: break
                    }
                }
            default: break
            }
        }
        stated.headers = pairs.compactMap { pair in
            let value = values.text(pair.value)
            return pair.name.literal.flatMap { $0.isToken ? StatedRequest.Header($0, value) : nil }
        }
        if !cookies.isEmpty { stated.headers.append(StatedRequest.Header("Cookie", cookies.joined(separator: "; "))) }
        if let sides = (user ?? account)?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) {
            stated.setBasic(user: String(sides[0]), password: sides.count > 1 ? String(sides[1]) : "")
        }
        addBody(to: &stated)
        return stated
    }

    private func fill(_ pair: HurlPair) -> [String] { [values.text(pair.name), values.text(pair.value)] }

    /// A document of GraphQL, and the JSON behind the word `variables`.
    private static func operation(_ text: String) -> (query: String, variables: String) {
        guard let mark = text.ranges(of: "\nvariables").last else { return (text, "") }
        let rest = text[mark.upperBound...].drop { $0.isWhitespace }
        return rest.hasPrefix("{") ? (String(text[..<mark.lowerBound]), String(rest)) : (text, "")
    }

    private func addBody(to stated: inout StatedRequest) {
        for section in entry.request.sections {
            switch section.name {
            case "FormParams", "Form":
                stated.setForm(section.pairs.map { (values.text($0.name), values.text($0.value)) })
            case "MultipartFormData", "Multipart":
                stated.setParts(
                    section.pairs.map { pair in
                        let text = values.text(pair.value)
                        return StatedRequest.Part(values.text(pair.name), text: text.hasPrefix("file,") ? nil : text)
                    })
            default: break
            }
        }
        switch entry.request.body?.content {
        case nil: break
        case .file: stated.body = nil
        case .base64(let text): stated.body = Base64.decode(text)
        case .text(let text, "graphql"):
            let (query, variables) = Self.operation(values.text(text))
            stated.setGraphQL(query.trimmed, variables: variables)
        case .text(let text, let language):
            stated.body = Array(values.text(text).utf8)
            if language == "json" { stated.addHeader("Content-Type", "application/json") }
            if language == "xml" { stated.openHeaders.insert("content-type") }
        }
    }
}

import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The URL of a request, split as in OpenAPI: server, path with names in braces, query.
struct OpenAPIAddress {
    /// The server; nil for the environment's server.
    let server: String?
    /// The server with placeholders as in an endpoint file.
    var serverTemplate: String? { server.map { StandIn.template(of: $0) } }
    let path: String
    /// The path with placeholders as in an endpoint file.
    let template: String
    /// The path without the names of its params. OpenAPI treats two paths that differ only in these names as the same path.
    let erased: String
    let names: [String]
    let values: [OpenValue]
    let query: String?

    init(_ request: OpenRequest, base: String?) {
        let url = request.url.prefix { $0 != "#" }
        let address = String(url.prefix { $0 != "?" })
        query = address.utf8.count < url.utf8.count ? String(url.dropFirst(address.count + 1)) : nil
        let rest: String
        if let base, address == base || address.hasPrefix(base + "/") {
            server = nil
            rest = String(address.dropFirst(base.count))
        } else {
            let origin = address.origin
            server = String(origin)
            rest = String(address[origin.endIndex...])
        }
        var names: [String] = []
        var unique = UniqueNames(separator: "_")
        var values: [OpenValue] = []
        let whole = rest.isEmpty ? "/" : rest
        // The literal parts have no braces, because braces are percent-encoded in a URL.
        path = StandIn.replacing(in: whole) { value in
            names.append(unique.take(value.name))
            values.append(value)
            return "{\(names[names.count - 1])}"
        }
        erased = StandIn.replacing(in: whole) { _ in "{}" }
        template = StandIn.template(of: whole)
        (self.names, self.values) = (names, values)
    }
}

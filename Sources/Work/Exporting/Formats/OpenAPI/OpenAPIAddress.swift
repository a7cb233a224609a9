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
    var serverTemplate: String? { server.map { OpenPiece.template(of: $0) } }
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
        var path = ""
        var erased = ""
        var names: [String] = []
        var unique = UniqueNames(separator: "_")
        var values: [OpenValue] = []
        let whole = rest.isEmpty ? "/" : rest
        for piece in StandIn.pieces(of: whole) {
            switch piece {
            case .literal(let text):
                // A literal part has no braces, because braces are percent-encoded in a URL.
                path += text
                erased += text
            case .open(let value):
                let name = unique.take(value.name)
                names.append(name)
                values.append(value)
                path += "{\(name)}"
                erased += "{}"
            }
        }
        template = OpenPiece.template(of: whole)
        (self.path, self.erased, self.names, self.values) = (path, erased, names, values)
    }
}

extension OpenPiece {
    /// A part of a URL in which placeholders replace the stand-ins of open values.
    static func template(of url: String) -> String {
        StandIn.pieces(of: url).map { piece in
            switch piece {
            case .literal(let text): text
            case .open(let value): "{{\(value.placeholder.text)}}"
            }
        }.joined()
    }
}

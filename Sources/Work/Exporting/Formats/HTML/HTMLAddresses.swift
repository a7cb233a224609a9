import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Where the workspace of an exported documentation can be read.
package struct HTMLSource: ExportChoice {
    /// The URL below which the files of the workspace are; nil for plain text in place of links to them.
    package var url: String?

    package static let standard = HTMLSource()
}

/// Where each part of the documentation is: the files of the pages, and the ids of their parts.
struct HTMLAddresses {
    static let index = "index.html"
    static let environments = "environments.html"
    static let scenarios = "scenarios.html"
    static let schemas = "schemas.html"

    private let source: ExportSource
    private var files: [String: String] = [:]
    private var pages: [String: String] = [:]
    private var anchors: [String: String] = [:]

    /// - Parameters:
    ///   - groups: The endpoints of each page, by the name of the group.
    ///   - schemas: The paths of all schemas.
    init(_ source: ExportSource, groups: [(name: String, endpoints: [LocatedEndpoint])], schemas: [String]) {
        self.source = source
        var files = UniqueNames(
            Set([Self.index, Self.environments, Self.scenarios, Self.schemas].map { String($0.dropLast(5)) }))
        for group in groups {
            // Some disks don't distinguish capital letters.
            let file = files.take(group.name.lowercased()) + ".html"
            self.files[group.name] = file
            for endpoint in group.endpoints { pages[endpoint.id] = file }
        }
        var ids = UniqueNames()
        for path in schemas {
            let plain = path.utf8.map { $0.isAlphanumeric || "._-/".utf8.contains($0) ? $0 : UInt8(ascii: "_") }
            anchors[path] = ids.take("schema:" + String(decoding: plain, as: UTF8.self))
        }
    }

    func file(ofGroup name: String) -> String { files[name] ?? Self.index }

    static func id(ofEndpoint id: String) -> String { "endpoint:" + id }

    func id(ofSchema path: String) -> String { anchors[path] ?? "" }

    /// The address of an endpoint; nil if the endpoint is not documented.
    func endpoint(_ id: String) -> String? { pages[id].map { "\($0)#\(Self.id(ofEndpoint: id))" } }

    /// The address of a schema; nil if there is no such file.
    func schema(_ path: String) -> String? { anchors[path].map { "\(Self.schemas)#\($0)" } }

    /// The text, in which a first word that is the id of an endpoint is a link.
    func linked(_ text: String) -> String {
        let id = String(text.prefix { $0 != " " })
        guard let address = endpoint(id) else { return HTMLText.words(text) }
        return HTMLText.link(HTMLText.text(id), to: address) + HTMLText.text(String(text.dropFirst(id.count)))
    }

    /// The file and the line of a place. If the files can be read somewhere, this is a link.
    func place(_ place: Place) -> String {
        let workspace = source.workspace
        let whole = FilePath.tidy(FilePath.join(workspace.currentFolder, place.file.name))
        let path = FilePath.shown(whole, from: workspace.root)
        let line = place.start.line
        let shown = "<bdi>\(HTMLText.text("\(path):\(line)"))</bdi>"
        guard let base = source.options[HTMLSource.self].url else { return shown }
        return HTMLText.link(
            shown, to: "\(base.hasSuffix("/") ? base : base + "/")\(PercentEncoding.path(path))#L\(line)")
    }
}

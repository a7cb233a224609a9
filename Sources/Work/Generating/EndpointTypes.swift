import ReqcliDefinitions
import ReqcliText

/// The types of endpoints: one type for each file of endpoints, which contains one type for each endpoint of the file.
struct EndpointTypes {
    struct Group {
        let name: String
        let file: SourceFile
        /// Whether the file holds a single endpoint without a group. If so, the type is the call itself.
        let isSingle: Bool
        var endpoints: [LocatedEndpoint]

        func name(of endpoint: LocatedEndpoint) -> String {
            isSingle ? name : SwiftNames.type(EndpointTypes.lastName(of: endpoint), role: "Call")
        }

        /// The names of the group's type, of the types of its calls, and of the enums that the calls declare.
        var typeNames: [String] {
            [name]
                + endpoints.flatMap { endpoint in
                    [self.name(of: endpoint)] + endpoint.parameters.compactMap { ParameterCode($0).option?.name }
                }
        }

        func path(of endpoint: LocatedEndpoint) -> String {
            isSingle ? name : "\(name).\(name(of: endpoint))"
        }
    }

    private(set) var groups: [Group] = []

    init(_ endpoints: [LocatedEndpoint]) throws(Failure) {
        var places: [String: Int] = [:]
        for endpoint in endpoints {
            let id = endpoint.group ?? endpoint.id
            if let index = places[id] {
                groups[index].endpoints.append(endpoint)
                continue
            }
            places[id] = groups.count
            groups.append(
                Group(
                    name: SwiftNames.type(id, role: "Group") + "API", file: endpoint.file,
                    isSingle: endpoint.group == nil, endpoints: [endpoint]))
        }
        groups.sort { $0.name < $1.name }
        // Names of files must differ in more than the case of letters, because some file systems ignore the case.
        var clashes = NameClashes(what: "file")
        for group in groups {
            clashes.add(
                group.name.lowercased(), group.isSingle ? group.endpoints[0].id : group.endpoints[0].group ?? "",
                at: group.endpoints.first?.definition.place, shownAs: group.name)
        }
        try clashes.check()
        var callClashes = NameClashes(what: "endpoint")
        for group in groups where !group.isSingle {
            for endpoint in group.endpoints {
                callClashes.add(group.path(of: endpoint), endpoint.id, at: endpoint.definition.place)
            }
        }
        try callClashes.check()
    }

    private static func lastName(of endpoint: LocatedEndpoint) -> String {
        endpoint.id.split(separator: ".").last.map(String.init) ?? endpoint.id
    }
}

/// Finds names in the workspace that would become the same name in Swift.
struct NameClashes {
    /// The kind of thing that the names belong to, for the message: `file`, `endpoint`.
    let what: String
    private var known: [String: (source: String, place: Place?)] = [:]
    private var problems: [Diagnostic] = []

    init(what: String) { self.what = what }

    mutating func add(_ name: String, _ source: String, at place: Place?, shownAs shown: String? = nil) {
        guard let other = known[name] else {
            known[name] = (source, place)
            return
        }
        problems.append(
            Diagnostic(
                code: .nameClash,
                "\"\(other.source)\" and \"\(source)\" would both be \(shown ?? name) in Swift", at: place,
                hint: "rename one of them; the other \(what) is at \(other.place?.description ?? "another place")"))
    }

    func check() throws(Failure) {
        if !problems.isEmpty { throw Failure(.broken, problems) }
    }
}

extension Diagnostic.Code {
    static let nameClash: Self = "generate.name-clash"
}

import ReqcliText

/// The parts of an endpoint, or of a group's defaults, that are merged separately: a header, a param, the body, a variant.
struct ImportUnits: Equatable {
    /// The path of a unit in the definition: `["headers", "Accept"]`.
    typealias Path = [String]

    private(set) var order: [Path] = []
    private(set) var values: [Path: OrderedJSON] = [:]

    /// Objects whose members are separate units.
    private static let containers: Set<Path> = [
        ["params"], ["headers"], ["query"], ["capture"], ["needs"], ["stubs"], ["stubs", "variants"],
    ]

    init(_ definition: OrderedJSON) { split(definition, []) }

    private mutating func split(_ value: OrderedJSON, _ path: Path) {
        guard case .object(let members) = value, path.isEmpty || Self.containers.contains(path) else {
            order.append(path)
            values[path] = value
            return
        }
        for member in members { split(member.value, path + [member.name]) }
    }

    subscript(path: Path) -> OrderedJSON? {
        get { values[path] }
        set {
            if values[path] == nil, newValue != nil { order.append(path) }
            if newValue == nil { order.removeAll { $0 == path } }
            values[path] = newValue
        }
    }

    /// The definition that these units make.
    var definition: OrderedJSON { Self.object(order.map { ($0[...], values[$0] ?? .null) }) }

    private static func object(_ units: [(path: ArraySlice<String>, value: OrderedJSON)]) -> OrderedJSON {
        var names: [String] = []
        var inner: [String: [(ArraySlice<String>, OrderedJSON)]] = [:]
        for (path, value) in units {
            guard let name = path.first else { continue }
            if inner[name] == nil { names.append(name) }
            inner[name, default: []].append((path.dropFirst(), value))
        }
        return .object(
            names.map { name in
                let parts = inner[name] ?? []
                if parts.count == 1, parts[0].0.isEmpty { return OrderedJSON.Member(name, parts[0].1) }
                return OrderedJSON.Member(name, object(parts))
            })
    }
}

/// The hashes of units. They identify the values that an import has written, without containing these values.
package struct UnitHashes: Sendable, Equatable {
    /// The hashes by the path of the unit. The path is written like a JSON pointer.
    package var hashes: [String: String]

    package init(_ hashes: [String: String] = [:]) { self.hashes = hashes }

    init(_ units: ImportUnits, _ hash: (OrderedJSON) -> String) {
        hashes = [:]
        for (path, value) in units.values { hashes[Self.key(path)] = hash(value) }
    }

    subscript(path: ImportUnits.Path) -> String? { hashes[Self.key(path)] }

    /// The path as one string, which is different for each path.
    static func key(_ path: ImportUnits.Path) -> String {
        path.map(JSONPointer.escaped).joined(separator: "/")
    }
}

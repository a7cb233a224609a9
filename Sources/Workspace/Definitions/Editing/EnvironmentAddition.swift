package import ReqcliText

/// The new content of an environment's file to which members were added. The file is not written yet.
package struct EnvironmentAddition: Sendable {
    /// The path relative to the workspace's root.
    package let path: String
    package let bytes: [UInt8]
    package let isThere: Bool
    /// Members that the file, or an environment that it extends, already has with another value. Their values stay unchanged.
    package let different: [(name: String, place: Place)]
}

extension Workspace {
    /// Adds members to an environment's file, and makes the file if it doesn't exist. Values that the environment has already stay
    /// unchanged, in its file and in the files that it extends. To an object such as `secrets`, only the missing names are added.
    package func addition(
        of members: [OrderedJSON.Member], toEnvironment name: String
    ) throws(EditProblem) -> EnvironmentAddition {
        guard let entry = environmentEntries(named: name).value.first else {
            let file = newFile("environments/\(name).json", .object(members), isThere: false)
            return EnvironmentAddition(path: file.path, bytes: file.bytes, isThere: false, different: [])
        }
        let (document, root) = try read(entry)
        let style = JSONStyle(of: document)
        var different: [(name: String, place: Place)] = []
        var edits: [TextEdit] = []
        var new: [OrderedJSON.Member] = []
        let inherited = InheritedMembers(environment(name).value)
        for member in members {
            guard let known = root[member.name] else {
                let (rest, kept) = inherited.split(member)
                new += rest.map { [$0] } ?? []
                different += kept
                continue
            }
            guard case .object(let inner) = member.value, known.kind == .object else {
                if OrderedJSON(known) != member.value { different.append((member.name, root.placeOfKey(member.name))) }
                continue
            }
            for item in inner {
                guard let value = known[item.name], OrderedJSON(value) != item.value else { continue }
                different.append(("\(member.name).\(item.name)", known.placeOfKey(item.name)))
            }
            let missing = OrderedJSON.Member(member.name, .object(inner.filter { known[$0.name] == nil }))
            let (rest, kept) = inherited.split(missing)
            different += kept
            edits += known.adding(rest?.value.objectMembers ?? [], style: style)
        }
        edits += root.adding(new, style: style)
        let bytes = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }.applied(to: document.file.bytes)
        return EnvironmentAddition(path: entry.path, bytes: bytes, isThere: true, different: different)
    }
}

/// The members that an environment has from the files that it extends.
private struct InheritedMembers {
    private static let server = ["baseURL", "scheme", "host", "port", "basePath"]
    /// The roots of the files, the nearest one first.
    private let roots: [JSONValue]

    init(_ found: Lookup<EnvironmentChain>) {
        guard case .found(let chain) = found else {
            roots = []
            return
        }
        roots = chain.layers.dropLast().reversed().compactMap { JSONDocument.read($0.place.file).root }
    }

    /// Splits a member into the part that the environment lacks, and the names that the environment already has. The keys of a
    /// server, such as `baseURL` and `host`, count as one: if one of them exists, the others are not added.
    func split(
        _ member: OrderedJSON.Member
    ) -> (rest: OrderedJSON.Member?, kept: [(name: String, place: Place)]) {
        let keys = Self.server.contains(member.name) ? Self.server : [member.name]
        guard case .object(let inner) = member.value, ["headers", "variables", "secrets"].contains(member.name) else {
            let place = roots.lazy.compactMap { root in keys.lazy.compactMap { root.placeOfKey(ifPresent: $0) }.first }
                .first
            return place.map { (nil, [(member.name, $0)]) } ?? (member, [])
        }
        var kept: [(String, Place)] = []
        let missing = inner.filter { item in
            let place = roots.lazy.compactMap { $0[member.name]?.placeOfKey(ifPresent: item.name) }.first
            if let place { kept.append(("\(member.name).\(item.name)", place)) }
            return place == nil
        }
        return (missing.isEmpty ? nil : OrderedJSON.Member(member.name, .object(missing)), kept)
    }
}

extension JSONValue {
    fileprivate func placeOfKey(ifPresent key: String) -> Place? { self[key] == nil ? nil : placeOfKey(key) }
}

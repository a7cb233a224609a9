import ReqcliDefinitions
import ReqcliText

/// Gives each placeholder of a request a meaning: a param, a variable, a secret, a value that another request captures, or a new
/// param.
struct VariablePass {
    /// Variables of the environment that the requests belong to.
    let variables: Set<String>
    /// The names of variables that have become secrets, each with the name of its secret.
    let secrets: [String: String]

    /// Gives the placeholders of all requests their meanings.
    ///
    /// - Parameter ids: The ids of the requests.
    func apply(to requests: inout [ImportedRequest], ids: [String], _ notes: inout [ConversionNote]) {
        var makers: [String: [Int]] = [:]
        for (index, request) in requests.enumerated() {
            for capture in request.captures { makers[capture.name, default: []].append(index) }
        }
        notes += storedNotes(requests, ids, makers)
        let needs = VariableNeeds(wanted: requests.indices.map { wanted(by: requests[$0], at: $0, makers) })
        for index in requests.indices {
            let needed = Set(needs.makers[index])
            // The request that each alias refers to.
            var owners: [String: Int] = [:]
            var aliases: [String: (alias: String, maker: Int)] = [:]
            var unknown: [String] = []
            var unknownNames: Set<String> = []
            let params = Set(requests[index].params.map(\.name))
            let captured = Set(requests[index].needs.map(\.alias))
            for name in requests[index].placeholders {
                if params.contains(name) || secrets[name] != nil || name.hasPrefix("$") { continue }
                if let dot = name.firstIndex(of: ".") {
                    if name[..<dot] == "secret" || captured.contains(String(name[..<dot])) { continue }
                } else if let makers = makers[name], aliases[name] == nil, makers != [index] {
                    if makers.count == 1, needed.contains(makers[0]) {
                        let alias = Self.alias(ids[makers[0]]) {
                            captured.contains($0) || owners[$0, default: makers[0]] != makers[0]
                        }
                        owners[alias] = makers[0]
                        aliases[name] = (alias, makers[0])
                        continue
                    }
                    notes.append(
                        ConversionNote(
                            .toDo,
                            makers.count > 1
                                ? "several requests set a variable; requests that use it get a param instead"
                                : "two requests need a value from each other; one of them gets a param instead", name,
                            at: requests[index].place))
                }
                if aliases[name] == nil, !variables.contains(name), unknownNames.insert(name).inserted {
                    unknown.append(name)
                }
            }
            replace(in: &requests[index], aliases, unknown: unknown)
            var known = captured
            for (alias, maker) in aliases.values.sorted(by: { $0.alias < $1.alias })
            where known.insert(alias).inserted {
                requests[index].needs.append(ImportedNeed(alias: alias, endpoint: ids[maker]))
            }
        }
        for index in needs.makersFirst { passParams(to: needs.makers[index], of: index, &requests, ids) }
    }

    /// Notes about secrets that requests use although another request captures them.
    private func storedNotes(
        _ requests: [ImportedRequest], _ ids: [String], _ makers: [String: [Int]]
    ) -> [ConversionNote] {
        let stored = makers.filter { secrets[$0.key] != nil }
        if stored.isEmpty { return [] }
        var users: [String: Set<Int>] = [:]
        for (index, request) in requests.enumerated() {
            for name in request.placeholders where stored[name] != nil { users[name, default: []].insert(index) }
        }
        return stored.sorted { $0.key < $1.key }.compactMap { name, makers in
            guard let secret = secrets[name], let maker = makers.first,
                users[name]?.contains(where: { $0 != maker }) == true
            else { return nil }
            return ConversionNote(
                .remark,
                "requests use a secret although \(ids[maker]) captures it; to log in automatically, write \"needs\": "
                    + "docs/how-to/log-in.md", secret, at: requests[maker].place)
        }
    }

    /// The requests whose captures a request uses, in the order of use. Values that several requests capture are ignored.
    private func wanted(by request: ImportedRequest, at index: Int, _ makers: [String: [Int]]) -> [Int] {
        if makers.isEmpty { return [] }
        var met = Set(request.params.map(\.name))
        var wanted: [Int] = []
        for name in request.placeholders where met.insert(name).inserted {
            guard secrets[name] == nil, !name.contains("."), let makers = makers[name], makers.count == 1,
                makers[0] != index
            else { continue }
            wanted.append(makers[0])
        }
        return wanted
    }

    // MARK: Params of needs

    /// Makes a request pass the required params to the requests that it needs. If the request itself lacks such a param, the
    /// param is added to the request.
    private func passParams(to makers: [Int], of index: Int, _ requests: inout [ImportedRequest], _ ids: [String]) {
        if makers.isEmpty { return }
        var positions: [String: Int] = [:]
        for (position, need) in requests[index].needs.enumerated() where positions[need.endpoint] == nil {
            positions[need.endpoint] = position
        }
        var known = Set(requests[index].params.map(\.name))
        for maker in makers {
            let required = requests[maker].params.filter(\.isRequired)
            guard !required.isEmpty, let position = positions.removeValue(forKey: ids[maker]) else { continue }
            requests[index].params += required.filter { known.insert($0.name).inserted }
            requests[index].needs[position].params = required.map(\.name)
        }
    }

    private func replace(
        in request: inout ImportedRequest, _ aliases: [String: (alias: String, maker: Int)], unknown: [String]
    ) {
        var renamed: [String: String] = [:]
        var params = Set(request.params.map(\.name))
        for name in unknown {
            let clean = ParamNames.clean(name)
            if clean != name { renamed[name] = clean }
            guard params.insert(clean).inserted else { continue }
            request.params.append(ImportedParam(clean))
        }
        guard !aliases.isEmpty || !renamed.isEmpty || !secrets.isEmpty else { return }
        request.rename { name in
            aliases[name].map { "\($0.alias).\(name)" } ?? secrets[name].map { "secret.\($0)" } ?? renamed[name]
        }
    }

    /// The last word of an id. If this word is only a verb, the last word of the group: `login` for `login.create`.
    private static func alias(_ id: String, isTaken: (String) -> Bool) -> String {
        let parts = id.split(separator: ".").map(String.init)
        let verbs: Set = ["list", "get", "create", "replace", "update", "delete"]
        let isVerb = parts.count > 1 && verbs.contains(parts.last ?? "")
        let short = isVerb ? Words.singular(parts[parts.count - 2]) : parts.last ?? id
        return isTaken(short) ? parts.joined(separator: "-") : short
    }
}

/// For each request, the indices of the requests that must be sent first. If requests need each other in a circle, the dependency
/// that closes the circle is left out.
private struct VariableNeeds {
    private(set) var makers: [[Int]]
    /// All requests, each after the requests that it needs.
    private(set) var makersFirst: [Int] = []

    private enum State { case new, open, done }

    init(wanted: [[Int]]) {
        makers = Array(repeating: [], count: wanted.count)
        var states = Array(repeating: State.new, count: wanted.count)
        for start in wanted.indices where states[start] == .new {
            states[start] = .open
            var path = [(index: start, next: 0)]
            while let (index, next) = path.last {
                guard next < wanted[index].count else {
                    states[index] = .done
                    makersFirst.append(index)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let maker = wanted[index][next]
                if states[maker] == .open { continue }
                makers[index].append(maker)
                if states[maker] == .new {
                    states[maker] = .open
                    path.append((maker, 0))
                }
            }
        }
    }
}

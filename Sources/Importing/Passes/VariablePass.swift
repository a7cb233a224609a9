import Definitions
import SourceText

/// Gives each placeholder of a request a meaning: a param, a variable, a secret, a value that another request captures, or a new
/// param.
struct VariablePass {
    /// Variables of the environment that the requests belong to.
    let variables: Set<String>
    /// Names of variables that are secrets, with the names of the secrets.
    let secrets: [String: String]

    /// - Parameter ids: The ids of the requests.
    func apply(to requests: inout [ImportedRequest], ids: [String], _ notes: inout [ImportNote]) {
        var makers: [String: [Int]] = [:]
        for (index, request) in requests.enumerated() {
            for capture in request.captures { makers[capture.name, default: []].append(index) }
        }
        var needs: [[Int]] = Array(repeating: [], count: requests.count)
        for index in requests.indices {
            var aliases: [String: (alias: String, maker: Int)] = [:]
            var unknown: [String] = []
            var unknownNames: Set<String> = []
            let params = Set(requests[index].params.map(\.name))
            let captured = Set(requests[index].needs.map(\.name))
            for name in requests[index].texts.flatMap({ TemplateText($0).placeholders }) {
                if params.contains(name) || secrets[name] != nil || name.hasPrefix("$") { continue }
                if let dot = name.firstIndex(of: ".") {
                    if name[..<dot] == "secret" || captured.contains(String(name[..<dot])) { continue }
                } else if let makers = makers[name], aliases[name] == nil, makers != [index] {
                    if makers.count == 1, !reaches(makers[0], index, needs) {
                        let taken = aliases.values.filter { $0.maker != makers[0] }.map(\.alias) + captured
                        aliases[name] = (Self.alias(ids[makers[0]], notAmong: taken), makers[0])
                        needs[index].append(makers[0])
                        continue
                    }
                    notes.append(
                        ImportNote(
                            .toDo,
                            makers.count > 1
                                ? "several requests set a variable; it is a param of those that use it"
                                : "two requests need a value of each other; it is a param of one", name,
                            at: requests[index].place))
                }
                if aliases[name] == nil, !variables.contains(name), unknownNames.insert(name).inserted {
                    unknown.append(name)
                }
            }
            replace(in: &requests[index], aliases, unknown: unknown)
            for (alias, maker) in aliases.values.sorted(by: { $0.alias < $1.alias })
            where !requests[index].needs.contains(where: { $0.name == alias }) {
                requests[index].needs.append(OrderedJSON.Member(alias, .string(ids[maker])))
            }
        }
        for index in Self.makersFirst(needs) { passParams(to: needs[index], of: index, &requests, ids) }
    }

    // MARK: Params of needs

    /// The requests in an order in which each one comes behind those that it needs.
    private static func makersFirst(_ needs: [[Int]]) -> [Int] {
        var order: [Int] = []
        var open = needs.indices.map { (index: $0, isMet: false) }
        var met: Set<Int> = []
        while let next = open.popLast() {
            if next.isMet {
                order.append(next.index)
            } else if met.insert(next.index).inserted {
                open.append((next.index, true))
                open += needs[next.index].map { ($0, false) }
            }
        }
        return order
    }

    /// Gives the params that needed requests must have, and takes those that this one hasn't yet.
    private func passParams(to makers: [Int], of index: Int, _ requests: inout [ImportedRequest], _ ids: [String]) {
        for maker in makers {
            let required = requests[maker].params.filter(\.isRequiredParam)
            guard !required.isEmpty,
                let position = requests[index].needs.firstIndex(where: { $0.value == .string(ids[maker]) })
            else { continue }
            let known = Set(requests[index].params.map(\.name))
            requests[index].params += required.filter { !known.contains($0.name) }
            let with = required.map { OrderedJSON.Member($0.name, .string("{{\($0.name)}}")) }
            requests[index].needs[position] = OrderedJSON.Member(
                requests[index].needs[position].name,
                .object(["endpoint": .string(ids[maker]), "with": .object(with)]))
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
            request.params.append(OrderedJSON.Member(clean, .object(["type": "string"])))
        }
        guard !aliases.isEmpty || !renamed.isEmpty || !secrets.isEmpty else { return }
        request.mapTexts { _, text in
            var template = TemplateText(text)
            template.pieces = template.pieces.map { piece in
                guard case .placeholder(let name) = piece else { return piece }
                if let source = aliases[name] { return .placeholder("\(source.alias).\(name)") }
                if let secret = secrets[name] { return .placeholder("secret.\(secret)") }
                return renamed[name].map { .placeholder($0) } ?? piece
            }
            return template.text
        }
    }

    /// The last word of an id, or its group's if that says no more than a method does: `login` for `login.create`.
    private static func alias(_ id: String, notAmong taken: [String]) -> String {
        let parts = id.split(separator: ".").map(String.init)
        let verbs: Set = ["list", "get", "create", "replace", "update", "delete"]
        let isVerb = parts.count > 1 && verbs.contains(parts.last ?? "")
        let short = isVerb ? Words.singular(parts[parts.count - 2]) : parts.last ?? id
        return taken.contains(short) ? parts.joined(separator: "-") : short
    }

    /// Whether a request needs another one, directly or not.
    private func reaches(_ start: Int, _ goal: Int, _ needs: [[Int]]) -> Bool {
        var met: Set<Int> = [start]
        var open = [start]
        while let next = open.popLast() {
            if next == goal { return true }
            open += needs[next].filter { met.insert($0).inserted }
        }
        return false
    }
}

extension OrderedJSON.Member {
    /// Whether a caller must give a value for this param.
    fileprivate var isRequiredParam: Bool {
        let members = value.objectMembers ?? []
        return !members.contains { $0.name == "default" || $0 == OrderedJSON.Member("required", false) }
    }
}

package enum ParamNames {
    /// A name as a param can have it: `created_gt` for `created[gt]`.
    package static func clean(_ name: String) -> String {
        if Name.isValid(name) { return name }
        let words = name.utf8.split { !(($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D) }
        let clean = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        return clean.isEmpty ? "value" : clean
    }

    /// The clean name, with a number if it is taken.
    package static func clean(_ name: String, notAmong taken: some Sequence<String>) -> String {
        let stem = clean(name)
        let taken = Set(taken)
        if !taken.contains(stem) { return stem }
        return (2...).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? stem
    }
}

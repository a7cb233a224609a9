import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

extension RequestComparison {
    mutating func readBody(_ request: IncomingRequest) {
        if case .none = pattern.body {
            if !request.body.isEmpty { report("\(own: endpoint.id) sends no body") }
            return
        }
        let type = request.mediaType
        switch pattern.body {
        case .none: break
        case .json(let wanted), .graphQL(let wanted):
            guard checkType(type, usual: "application/json") else { return }
            if request.isCut { return }
            guard !request.content.isEmpty else {
                report("the body is empty; expected JSON")
                return
            }
            let document = JSONDocument.read(SourceFile(name: "body", bytes: request.content))
            guard let root = document.validRoot else {
                // The messages about encoding are worded for files, so they are not used here.
                let problem = document.problems.first.flatMap { $0.code == .jsonEncoding ? nil : $0.message }
                report("the body is not JSON: \(problem ?? "it must be UTF-8 without a byte order mark")")
                return
            }
            json = root
            if case .graphQL = pattern.body { readGraphQL(wanted, root) } else { read(root, wanted, path: "$") }
        case .form(let items):
            guard checkType(type, usual: "application/x-www-form-urlencoded") else { return }
            if request.isCut { return }
            readItems(items, IncomingRequest.fields(request.text), kind: "form field")
        case .multipart(let items):
            guard checkType(type, usual: "multipart/form-data") else { return }
            if request.isCut { return }
            readItems(items, MultipartText(request.content)?.fields ?? [], kind: "form field")
        case .text(let wanted):
            if !request.isCut, !read(request.text, wanted) {
                report("the body differs from the one that \(own: endpoint.id) sends")
            }
        case .other(let expected):
            if let expected, type?.name != expected {
                report("the body is \(type?.name ?? "of no type"); expected \(own: expected)")
            }
        }
    }

    /// GraphQL requests are distinguished by the name of the operation, because the same document can be written in many ways.
    private mutating func readGraphQL(_ wanted: OrderedJSON, _ found: JSONValue) {
        guard case .object(let members) = wanted else { return }
        guard found.kind == .object else {
            literalsMissed += 1
            return report("the body is \(found.shortDescription); expected an object with \"query\"")
        }
        readOperation(members, found)
        for member in members where member.name != "query" && member.name != "operationName" {
            if let value = found[member.name] { read(value, member.value, path: "$.\(member.name)") }
        }
    }

    private mutating func readOperation(_ wanted: [OrderedJSON.Member], _ found: JSONValue) {
        func text(_ name: String) -> String? { wanted.first { $0.name == name }?.value.plainText }
        // A persisted query is sent as its hash, in "extensions".
        if found["query"]?.string == nil, found["extensions"] == nil { report("$.query is missing") }
        let name = text("operationName") ?? GraphQLOperations(text("query") ?? "").onlyName
        guard let name, TextPattern(name).literal != nil else { return }
        let foundName =
            found["operationName"]?.string ?? found["query"]?.string.flatMap { GraphQLOperations($0).onlyName }
        if foundName == name {
            literalsMet += 1
        } else {
            literalsMissed += 1
            report("the GraphQL operation is \(foundName?.quoted ?? "not named"); expected \(own: name.quoted)")
        }
    }

    private mutating func read(_ found: JSONValue, _ wanted: OrderedJSON, path: String) {
        switch wanted {
        case .string(let text):
            let pattern = TextPattern(text)
            if let gap = pattern.onlyGap {
                readGap(found, gap, path: path)
            } else if pattern.literal == nil {
                if found.string.map({ read($0, pattern) }) != true {
                    report(
                        "\(own: path) is \(shown(found.shortDescription, of: path)), which does not match \(own: text.isEmpty ? "it" : "the endpoint's value")"
                    )
                }
            } else {
                compare(found, wanted, path: path)
            }
        case .array(let elements):
            // If the only element is a gap for a param of kind list, the gap is for the whole list.
            if elements.count == 1, case .string(let text) = elements[0], let gap = TextPattern(text).onlyGap,
                case .parameter(let name) = gap, endpoint.parameters[named: name]?.kind == .list
            {
                readGap(found, gap, path: path)
                return
            }
            guard found.kind == .array, found.count == elements.count else { return compare(found, wanted, path: path) }
            for (index, pair) in zip(found.elements, elements).enumerated() {
                read(pair.0, pair.1, path: "\(path)[\(index)]")
            }
        case .object(let members):
            guard found.kind == .object else { return compare(found, wanted, path: path) }
            for member in members {
                let inner = "\(path).\(member.name)"
                if let value = found[member.name] {
                    read(value, member.value, path: inner)
                } else if !mayLack(member.value) {
                    if !member.value.hasOpenValues { literalsMissed += 1 }
                    if !member.value.isOpenParameter { report("\(own: inner) is missing") }
                }
            }
            let known = Set(members.map(\.name))
            for member in found.members where !known.contains(member.name) {
                report("\(own: endpoint.id) has no \(own: path).\(member.name)")
            }
        case .null, .bool, .number: compare(found, wanted, path: path)
        }
    }

    private func mayLack(_ wanted: OrderedJSON) -> Bool {
        guard case .string(let text) = wanted else { return false }
        return endpoint.mayLack(TextPattern(text).onlyGap, pattern.choices)
    }

    private mutating func readGap(_ found: JSONValue, _ gap: OpenValue, path: String) {
        guard case .parameter(let name) = gap else { return }
        guard let choice = pattern.choices[name] else {
            guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else { return }
            take(name, at: parameter.namePlace) { [schemas] () throws(Failure) in
                try parameter.value.value(sentAs: OrderedJSON(found), named: name, schemas)
            }
            return
        }
        let value = OrderedJSON(found)
        let fits = take(choice) { one in
            if one.isEquivalent(to: value) { return [] }
            guard case .string(let text) = one, let string = found.string else { return nil }
            return TextPattern(text).values(in: string, allowsEmpty: true)
        }
        if fits {
            literalsMet += 1
        } else {
            report(
                "\(own: path) is \(shown(found.shortDescription, of: path)), which does not match any case of its $switch"
            )
        }
    }

    /// A value for a message. If the name of the value sounds secret, the value is masked.
    func shown(_ value: String, of path: String) -> String {
        let name = path.split(separator: ".").last.map(String.init) ?? path
        return LikelySecret.isName(name) ? "***" : value
    }

    private mutating func compare(_ found: JSONValue, _ wanted: OrderedJSON, path: String) {
        if OrderedJSON(found).isEquivalent(to: wanted) {
            literalsMet += 1
        } else {
            literalsMissed += 1
            if found.kind == .array, case .array(let elements) = wanted {
                let count = found.count
                let unit = count == 1 ? "element" : "elements"
                report("\(own: path) has \(count) \(own: unit); expected \(elements.count)")
            } else {
                let value = shown(found.shortDescription, of: path)
                report("\(own: path) is \(value); expected \(own: wanted.shortDescription)")
            }
        }
    }
}

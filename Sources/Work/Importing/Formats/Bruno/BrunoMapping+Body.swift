import ReqcliDefinitions
import ReqcliText

extension BrunoMapping {
    mutating func addBody(_ mode: String, to request: inout ImportedRequest) {
        let names = [
            "formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form",
            "form-urlencoded": "form-urlencoded",
            "multipart-form": "multipart-form",
        ]
        let name = "body:" + (names[mode] ?? mode)
        let chosen = file[name] ?? (mode == "json" ? file["body"] : nil)
        for block in file.blocks where block.name.hasPrefix("body") && block.name != "body:graphql:vars" {
            if block.name != chosen?.name, block.name != name {
                note(.lost, "only the selected body is converted", block.name, at: block.place)
            }
        }
        guard let block = chosen else { return }
        switch mode {
        case "json":
            jsonNames = request.setBody(
                BrunoNames.template(block.text), type: "application/json", isExact: isExact, &notes)
        case "xml": request.setBody(BrunoNames.template(block.text), type: "application/xml", isExact: isExact, &notes)
        case "sparql":
            request.setBody(BrunoNames.template(block.text), type: "application/sparql-query", isExact: isExact, &notes)
        case "text": request.setBody(BrunoNames.template(block.text), type: "text/plain", isExact: isExact, &notes)
        case "graphql": addGraphQL(block, to: &request)
        case "form-urlencoded", "formUrlEncoded":
            let fields = block.pairs.map { pair -> (name: String, value: OrderedJSON) in
                (pair.name, OrderedJSON.string(value(pair, &request).text))
            }
            request.body = .form(.grouped(fields))
        case "multipart-form", "multipartForm":
            let parts = block.pairs.flatMap { pair in self.parts(pair, &request).map { (pair.name, $0) } }
            request.body = .multipart(.grouped(parts))
        case "file": addFile(block, to: &request)
        default: note(.lost, "a body of an unknown kind is not converted", mode, at: block.place)
        }
    }

    private mutating func value(_ pair: BruPair, _ request: inout ImportedRequest) -> TemplateText {
        pair.isEnabled ? BrunoNames.template(pair.value) : optional(pair, &request)
    }

    private mutating func addGraphQL(_ block: BruBlock, to request: inout ImportedRequest) {
        var variables: OrderedJSON?
        if let source = file["body:graphql:vars"], !source.text.trimmed.isEmpty {
            if let json = TemplateJSON(BrunoNames.template(source.text)), json.value.objectMembers != nil {
                variables = json.value
                jsonNames = json.bareNames
                notes += json.notes(at: source.place)
            } else {
                note(.toDo, "the GraphQL variables are not JSON", at: source.place)
            }
        }
        request.body = .graphQL(BrunoNames.template(block.text.trimmed).text, variables: variables)
    }

    /// The parts of a pair such as `photo: @file(a.png|b.png) @contentType(image/png)`.
    private mutating func parts(_ pair: BruPair, _ request: inout ImportedRequest) -> [OrderedJSON] {
        guard pair.isEnabled else { return [.part(text: .string(optional(pair, &request).text))] }
        var text = pair.value
        var type: String?
        if let mark = text.firstRange(of: "@contentType("), text.hasSuffix(")") {
            type = String(text[mark.upperBound...].dropLast())
            text = String(text[..<mark.lowerBound]).trimmed
        }
        let contentType = type.map { BrunoNames.template($0).text }
        guard text.hasPrefix("@file("), text.hasSuffix(")") else {
            return [.part(text: .string(BrunoNames.template(text).text), contentType: contentType)]
        }
        return text.dropFirst(6).dropLast().split(separator: "|").map { path in
            .part(file: BrunoNames.template(String(path)).text, contentType: contentType)
        }
    }

    private mutating func addFile(_ block: BruBlock, to request: inout ImportedRequest) {
        let files = block.pairs.filter { $0.value.hasPrefix("@file(") }
        guard let pair = files.first(where: \.isEnabled) ?? files.first else { return }
        let path = pair.value.dropFirst(6).prefix { $0 != ")" }
        if let mark = pair.value.firstRange(of: "@contentType("), !request.headers.contains("Content-Type") {
            let type = BrunoNames.template(String(pair.value[mark.upperBound...].prefix { $0 != ")" }))
            request.headers.append(OrderedJSON.Member("Content-Type", .string(type.text)))
        }
        request.body = .file(BrunoNames.template(String(path)).text)
        for other in files where other.place != pair.place {
            note(.lost, "only the selected file is converted", at: other.place)
        }
    }

    // MARK: Expectations

    mutating func addExpectations(to request: inout ImportedRequest) {
        var draft = ExpectDraft()
        for pair in file["assert"]?.pairs ?? [] where pair.isEnabled {
            guard let conditions = BrunoAssertion.conditions(pair.name, pair.value), draft.add(conditions) else {
                note(.lost, "an assertion is not converted", pair.name, at: pair.place)
                continue
            }
        }
        for name in ["tests", "script:post-response"] {
            for (unit, place) in file[name]?.units ?? [] {
                guard let conditions = unit.conditions, draft.add(conditions) else {
                    note(
                        .lost, unit.name == nil ? "a script is not converted" : "a test is not converted",
                        unit.name, at: place)
                    continue
                }
                request.captures += unit.captures
            }
        }
        request.expect = draft.json
    }
}

extension BruBlock {
    /// The statements of a script, and the line in which each of them begins.
    var units: [(unit: ScriptUnit, place: Place)] {
        var rest = lines[...]
        var length = 0
        return ScriptUnit.list(text, .bruno, naming: ParamNames.clean).map { unit in
            while rest.count > 1, let line = rest.first, length + line.range.count < unit.range.lowerBound {
                length += line.range.count + 1
                rest.removeFirst()
            }
            return (unit, rest.first?.trimmed.place ?? place)
        }
    }
}

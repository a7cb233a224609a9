import ReqcliText

/// The newer format of Bruno: collections in YAML, with one file for each request or with all requests in one file.
enum OpenCollection {
    static func isYAML(_ file: SourceFile) -> Bool { file.name.hasSuffix(".yml") || file.name.hasSuffix(".yaml") }

    static func isRoot(_ file: SourceFile) -> Bool {
        ["opencollection.yml", "opencollection.yaml"].contains(SourceFolder.name(of: file))
    }

    /// Whether the outermost keys of a file are the keys of a collection, a folder or a request.
    static func looksLike(_ file: SourceFile) -> Bool {
        guard isYAML(file) || isRoot(file) else { return false }
        let lines = SourceLine.lines(of: file, atMost: 2000)
        func has(_ key: String) -> Bool { lines.contains { $0.begins(with: key) } }
        return has("opencollection:") || has("info:") && (has("http:") || has("graphql:") || has("request:"))
    }

    static func read(_ file: SourceFile) throws(ImportProblem) -> JSONValue? {
        let document = YAMLDocument.read(file)
        guard document.problems.isEmpty else { throw ImportProblem(document.diagnostics) }
        return document.root
    }

    /// The text of a scalar as the file writes it. For an object, the text of the scalar in the object.
    static func text(_ value: JSONValue?) -> String {
        guard let value else { return "" }
        if value.kind == .object { return text(value["data"] ?? value["content"]) }
        return value.scalarText ?? ""
    }

    static func pairs(_ list: JSONValue?, where condition: (JSONValue) -> Bool = { _ in true }) -> [BruPair] {
        (list.map { Array($0.elements) } ?? []).filter { $0.kind == .object && condition($0) }.map { item in
            BruPair(
                name: text(item["name"]), value: text(item["value"]), isEnabled: item["disabled"]?.bool != true,
                place: item.place)
        }
    }
}

// MARK: Blocks

extension BruFile {
    /// The blocks that a .bru file would have for a request, a folder, a collection or an environment in YAML.
    init(openCollection value: JSONValue) {
        var blocks = OpenCollectionBlocks()
        blocks.addInfo(value)
        if let request = value["http"] ?? value["graphql"] {
            blocks.addRequest(request, runtime: value["runtime"], isGraphQL: value["http"] == nil)
        } else if let request = value["request"] {
            blocks.add("headers", OpenCollection.pairs(request["headers"]), at: request)
            if let mode = blocks.addAuth(request["auth"]) {
                blocks.add("auth", [BruPair(name: "mode", value: mode, place: request.place)], at: request)
            }
            blocks.addRuntime(request)
        } else if let variables = value["variables"] {
            let isSecret = { (item: JSONValue) in item["secret"]?.bool == true || item["transient"]?.bool == true }
            blocks.add("vars", OpenCollection.pairs(variables) { !isSecret($0) }, at: variables)
            blocks.add("vars:secret", words: OpenCollection.pairs(variables, where: isSecret), at: variables)
        }
        if let settings = value["settings"], settings.kind == .object {
            let pairs = settings.members.map { member in
                BruPair(name: member.name, value: OpenCollection.text(member.value), place: member.value.place)
            }
            blocks.add("settings", pairs, at: settings)
        }
        self.init(value.place.file, blocks: blocks.blocks, examples: value.list("examples").map { BrunoExample($0) })
    }
}

extension BrunoExample {
    fileprivate init(_ example: JSONValue) {
        self.init(at: example.place)
        name = OpenCollection.text(example["name"])
        status = Int(OpenCollection.text(example["response"]?["status"]))
        headers = OpenCollection.pairs(example["response"]?["headers"])
        text = OpenCollection.text(example["response"]?["body"])
    }
}

private struct OpenCollectionBlocks {
    private(set) var blocks: [BruBlock] = []

    mutating func add(_ name: String, _ pairs: [BruPair] = [], words: [BruPair] = [], at value: JSONValue) {
        guard !pairs.isEmpty || !words.isEmpty else { return }
        blocks.append(BruBlock(name: name, place: value.place, pairs: pairs, words: words))
    }

    private mutating func add(_ name: String, text: String, at value: JSONValue) {
        if !text.isEmpty { blocks.append(BruBlock(name: name, place: value.place, content: text)) }
    }

    mutating func addInfo(_ value: JSONValue) {
        if let docs = value["docs"] { add("docs", text: OpenCollection.text(docs), at: docs) }
        guard let info = value["info"], info.kind == .object else { return }
        let tags = info.list("tags").compactMap(\.scalarText).joined(separator: ",")
        let pairs =
            [("name", OpenCollection.text(info["name"])), ("type", OpenCollection.text(info["type"]))]
            + [("tags", tags)]
        add("meta", pairs.filter { !$0.1.isEmpty }.map { BruPair(name: $0, value: $1, place: info.place) }, at: info)
    }

    mutating func addRequest(_ request: JSONValue, runtime: JSONValue?, isGraphQL: Bool) {
        let mode = addAuth(request["auth"] ?? runtime?["auth"]) ?? "none"
        let body = request["body"]
        let kind = isGraphQL ? "graphql" : OpenCollection.text(body?["type"])
        let method = OpenCollection.text(request["method"])
        let start = [
            ("url", OpenCollection.text(request["url"])), ("method", method.isEmpty ? "GET" : method), ("auth", mode),
            ("body", body == nil || kind.isEmpty ? "none" : kind),
        ]
        add("http", start.map { BruPair(name: $0, value: $1, place: request.place) }, at: request)
        for place in ["query", "path"] {
            let pairs = OpenCollection.pairs(request["params"]) { OpenCollection.text($0["type"]) == place }
            add("params:\(place)", pairs, at: request["params"] ?? request)
        }
        add("headers", OpenCollection.pairs(request["headers"]), at: request["headers"] ?? request)
        if let body, body.kind == .object { addBody(body, kind) }
        if let runtime { addRuntime(runtime) }
    }

    private mutating func addBody(_ body: JSONValue, _ kind: String) {
        let name = "body:\(kind)"
        switch kind {
        case "graphql":
            add(name, text: OpenCollection.text(body["query"]), at: body)
            add("body:graphql:vars", text: OpenCollection.text(body["variables"]), at: body)
        case "form-urlencoded": add(name, OpenCollection.pairs(body["data"]), at: body)
        case "multipart-form":
            let pairs = zip(OpenCollection.pairs(body["data"]), body.list("data").filter { $0.kind == .object })
            add(name, pairs.map { Self.part($0, $1) }, at: body)
        case "file":
            let pairs = body.list("data").filter { $0.kind == .object }.map { file in
                BruPair(
                    name: "file", value: "@file(\(OpenCollection.text(file["filePath"])))" + Self.type(file),
                    isEnabled: file["selected"]?.bool == true, place: file.place)
            }
            add(name, pairs, at: body)
        default: add(name, text: OpenCollection.text(body), at: body)
        }
    }

    private static func part(_ pair: BruPair, _ part: JSONValue) -> BruPair {
        var pair = pair
        if OpenCollection.text(part["type"]) == "file" {
            let paths = part.list("value").compactMap(\.scalarText)
            pair.value = "@file(\((paths.isEmpty ? [pair.value] : paths).joined(separator: "|")))"
        }
        pair.value += type(part)
        return pair
    }

    private static func type(_ part: JSONValue) -> String {
        let type = OpenCollection.text(part["contentType"])
        return type.isEmpty ? "" : " @contentType(\(type))"
    }

    /// Adds the settings of the authentication. Returns the name of its kind; nil if the file states no authentication.
    mutating func addAuth(_ auth: JSONValue?) -> String? {
        guard let auth else { return nil }
        if let mode = auth.string { return mode }
        guard let mode = auth["type"]?.string else { return nil }
        let inner = (auth["credentials"]?.members).map { $0.map { ("credentials." + $0.name, $0.value) } } ?? []
        let pairs = (auth.members.filter { $0.name != "type" }.map { ($0.name, $0.value) } + inner).map {
            BruPair(name: $0, value: OpenCollection.text($1), place: $1.place)
        }
        add("auth:\(mode)", pairs, at: auth)
        return mode
    }

    /// Adds variables, scripts, assertions, and actions that set variables.
    mutating func addRuntime(_ runtime: JSONValue) {
        add("vars:pre-request", OpenCollection.pairs(runtime["variables"]), at: runtime)
        let actions = runtime.list("actions").filter { OpenCollection.text($0["type"]) == "set-variable" }
        let captures = actions.filter { OpenCollection.text($0["phase"]) == "after-response" }.map { action in
            BruPair(
                name: OpenCollection.text(action["variable"]?["name"]),
                value: OpenCollection.text(action["selector"]?["expression"]),
                isEnabled: action["disabled"]?.bool != true, place: action.place)
        }
        add("vars:post-response", captures, at: runtime)
        let assertions = runtime.list("assertions").filter { $0.kind == .object }.map { item in
            BruPair(
                name: OpenCollection.text(item["expression"]),
                value: "\(OpenCollection.text(item["operator"])) \(OpenCollection.text(item["value"]))",
                isEnabled: item["disabled"]?.bool != true, place: item.place)
        }
        add("assert", assertions, at: runtime)
        let names = [
            "before-request": "script:pre-request", "after-response": "script:post-response", "tests": "tests",
        ]
        for script in runtime.list("scripts") {
            let type = OpenCollection.text(script["type"])
            add(
                names[type] ?? "script:\(type)", text: OpenCollection.text(script["code"]), at: script["code"] ?? script
            )
        }
    }
}

import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Makes an API of the folders, requests and environments of Insomnia.
struct InsomniaReader {
    private var reader: PostmanReader
    private var templates = InsomniaTemplates()
    /// The positions of the requests, by their ids.
    private var positions: [String: Int] = [:]
    private var inliningLimit = InliningLimit()

    init(_ options: ImportOptions) { reader = PostmanReader(options, .insomnia) }

    /// The settings that a request inherits from its folders.
    private struct Scope {
        var common = PostmanScope()
        var headers: [CollectionRequest.Item] = []
        var credentials: Credentials?
        /// The variables of the folders, with texts as Postman writes them.
        var values: [String: String] = [:]
    }

    private struct Credentials {
        var auth: CollectionRequest.Auth
        /// A header with credentials for which there is no kind of auth.
        var header: CollectionRequest.Item?
    }

    // MARK: Variables

    mutating func addVariables(of workspace: InsomniaNode) {
        let (base, others) = workspace.environments
        for environment in base + others {
            for leaf in leaves(environment["data"]) { templates.reserve(leaf.name) }
        }
        for environment in others {
            reader.variables.addEnvironment(environment["name"]?.string, variables(environment))
        }
        for environment in base { reader.variables.addCollection(variables(environment)) }
    }

    private mutating func variables(_ environment: JSONValue) -> [CollectionVariable] {
        let pairs = environment.list("kvPairData").filter { $0["enabled"]?.bool != false }
        // The values of such variables are encrypted.
        let secrets = pairs.filter { $0["type"]?.string == "secret" }.compactMap { $0["name"]?.string }
        return variables(of: environment["data"]).filter { !secrets.contains($0.name) }
            + secrets.map { CollectionVariable(name: $0, value: "", isSecret: true) }
    }

    private mutating func variables(of data: JSONValue?) -> [CollectionVariable] {
        leaves(data).compactMap { name, value in
            if let text = value.string, templates.isReference(text, named: name) { return nil }
            return CollectionVariable(name, value) { templates.text($0, at: value.place) }
        }
    }

    /// The values in nested objects, with names such as `api.host`.
    private func leaves(_ data: JSONValue?, in prefix: String = "") -> [(name: String, value: JSONValue)] {
        data?.members.flatMap { member in
            member.value.kind == .object
                ? leaves(member.value, in: prefix + member.name + ".") : [(prefix + member.name, member.value)]
        } ?? []
    }

    // MARK: Folders

    /// - Parameter isOnly: Whether the source has no other workspace with requests.
    mutating func read(_ workspace: InsomniaNode, isOnly: Bool) throws(ImportProblem) {
        let name = workspace.value["name"]?.scalarText ?? ""
        var scope = Scope()
        if !isOnly { scope.common.folders = [name] } else if !name.isEmpty { reader.api.title = name }
        noteOthers(of: workspace)
        try read(workspace.children, scope)
    }

    private mutating func read(_ nodes: [InsomniaNode], _ scope: Scope) throws(ImportProblem) {
        for node in nodes {
            let value = node.value
            let type = value["_type"]?.string
            if type == "request_group" || type == nil && value["children"] != nil {
                try read(node.children, inside(value, scope))
            } else if type == "request" || type == nil && value["method"] != nil {
                try add(value, scope)
            } else {
                note(.lost, "requests of this protocol are not converted", [value])
            }
        }
    }

    private mutating func inside(_ folder: JSONValue, _ scope: Scope) -> Scope {
        let name = folder["name"]?.scalarText ?? ""
        var inside = scope
        inside.common.folders.append(name)
        inside.headers = scope.headers.overridden(by: items(folder["headers"]))
        inside.credentials = credentials(folder["authentication"]) ?? scope.credentials
        inside.common.scripts += scripts(folder, named: name)
        let variables = variables(of: folder["environment"])
        for variable in variables { inside.values[variable.name] = variable.value.scalarText }
        inside.common.variables += reader.variables.members(variables)
        if let text = Self.description(of: folder) { reader.api.groupDescriptions[inside.common.folders] = text }
        return inside
    }

    private static func description(of value: JSONValue) -> String? {
        CollectionRequest.paragraph(value["description"] ?? value["meta"]?["description"])
    }

    // MARK: Requests

    private mutating func add(_ value: JSONValue, _ scope: Scope) throws(ImportProblem) {
        let place = (value["name"] ?? value["url"])?.place ?? value.place
        var request = CollectionRequest(at: place)
        request.name = value["name"]?.scalarText ?? ""
        request.description = Self.description(of: value)
        request.methodPlace = value["method"]?.place
        request.method = value["method"]?.string.flatMap { $0.isEmpty ? nil : $0.uppercased() } ?? "GET"
        request.url = url(templates.text(value["url"]?.string ?? "", at: place), scope)
        var parameters = items(value["parameters"])
        for index in parameters.indices where !parameters[index].isDisabled {
            // Insomnia encodes the characters that separate items.
            for (character, code) in [("&", "%26"), ("#", "%23"), ("+", "%2B")] {
                parameters[index].value?.replace(character, with: code)
            }
        }
        if !parameters.isEmpty {
            request.query = CollectionRequest.Item.query(of: request.url, at: place) + parameters
        }
        request.pathValues = items(value["pathParameters"])
        request.headers = scope.headers.overridden(by: items(value["headers"])).filter { header in
            // Insomnia adds this header to each new request.
            reader.options.isExact || header.name.lowercased() != "user-agent"
                || header.value?.hasPrefix("insomnia/") != true
        }
        let credentials = credentials(value["authentication"]) ?? scope.credentials
        request.auth = credentials?.auth
        // Insomnia adds no credentials to a request that has such a header.
        request.headers = [credentials?.header].compactMap(\.self).overridden(by: request.headers)
        request.body = value["body"].flatMap { body($0) }
        if let id = (value["_id"] ?? value["meta"]?["id"])?.string { positions[id] = reader.api.requests.count }
        let redirects = (value["settingFollowRedirects"] ?? value["settings"]?["followRedirects"])?.string
        noteSettings(value)
        let scripts = scripts(value, named: request.name)
        try reader.add(request, PostmanBehavior(followsRedirects: redirects != "off"), scripts, scope.common)
    }

    /// The URL with the values of the folders' variables at its start, since the server must not be a param.
    private mutating func url(_ text: String, _ scope: Scope) -> String {
        var url = text
        for _ in 0..<10 {
            guard url.hasPrefix("{{"), let end = url.firstRange(of: "}}"),
                let base = scope.values[String(url[..<end.lowerBound].dropFirst(2))],
                inliningLimit.admits(TemplateText(literal: base))
            else { break }
            url = base + url[end.upperBound...]
        }
        return url
    }

    private mutating func items(_ list: JSONValue?) -> [CollectionRequest.Item] {
        (list.map { Array($0.elements) } ?? []).compactMap { item in
            let name = templates.text(item["name"]?.scalarText ?? "", at: item.place)
            let value = templates.text(item["value"]?.scalarText ?? "", at: item.place)
            if name.isEmpty, value.isEmpty { return nil }
            var result = CollectionRequest.Item(name: name, value: value, place: item.place)
            result.description = item["description"]?.string.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
            result.isDisabled = item["disabled"]?.bool == true
            if item["type"]?.string == "file" { result.files = [item["fileName"]?.string ?? ""] }
            return result
        }
    }

    /// Credentials, or a header in their place; nil if they are inherited.
    private mutating func credentials(_ auth: JSONValue?) -> Credentials? {
        guard let auth, let type = auth["type"]?.string else { return nil }
        let types = ["none": "noauth", "iam": "awsv4", "singleToken": "bearer"]
        var result = CollectionRequest.Auth(type: types[type] ?? type, place: auth.place)
        for member in auth.members {
            result.values[member.name] = member.value.scalarText.map { templates.text($0, at: member.value.place) }
        }
        func header(_ name: String, _ value: String) -> Credentials {
            result.type = "noauth"
            return Credentials(
                auth: result, header: CollectionRequest.Item(name: name, value: value, place: auth.place))
        }
        let values = result.values
        let prefix = values["prefix"]?.trimmed ?? ""
        switch (type, values["addTo"]) {
        case _ where auth["disabled"]?.bool == true: result.type = "noauth"
        case ("bearer", _) where !prefix.isEmpty && prefix.lowercased() != "bearer":
            return header("Authorization", "\(prefix) \(values["token"] ?? "")")
        case ("apikey", "cookie"?): return header("Cookie", "\(values["key"] ?? "")=\(values["value"] ?? "")")
        case ("apikey", "queryParams"?): result.values["in"] = "query"
        default: break
        }
        return Credentials(auth: result)
    }

    private mutating func body(_ body: JSONValue) -> CollectionRequest.Body? {
        let text = templates.text(body["text"]?.string ?? "", at: body["text"]?.place ?? body.place)
        let type = body["mimeType"]?.string
        let content: CollectionRequest.Body.Content
        switch type?.prefix(while: { $0 != ";" }) {
        case "application/graphql"?: content = Self.graphQL(text)
        case "application/x-www-form-urlencoded"? where text.isEmpty: content = .form(items(body["params"]))
        case "multipart/form-data"?: content = .multipart(items(body["params"]))
        default:
            if let file = body["fileName"]?.string, !file.isEmpty {
                content = .file(file)
            } else if !text.isEmpty {
                content = .text(text, type: type.flatMap { $0.isEmpty ? nil : $0 })
            } else {
                return nil
            }
        }
        return CollectionRequest.Body(content: content, place: body.place)
    }

    /// A body of GraphQL, which Insomnia keeps as JSON in a string.
    private static func graphQL(_ text: String) -> CollectionRequest.Body.Content {
        let limits = JSONReader.Limits(depth: 500, problems: 1)
        let document = JSONDocument.read(SourceFile(name: "body", text: text), limits: limits)
        guard let root = document.validRoot, root["query"] != nil else { return .text(text, type: "application/json") }
        return .graphQL(root)
    }

    private mutating func scripts(_ value: JSONValue, named owner: String) -> [PostmanFindings] {
        let scripts = [
            PostmanScript(.preRequest, value["scripts"]?["preRequest"] ?? value["preRequestScript"]),
            PostmanScript(.test, value["scripts"]?["afterResponse"] ?? value["afterResponseScript"]),
        ]
        return reader.findings(of: scripts.compactMap(\.self), named: owner)
    }

    // MARK: Notes

    private mutating func note(_ kind: ConversionNote.Kind, _ message: String, _ values: [JSONValue]) {
        reader.notes += values.map { ConversionNote(kind, message, $0["name"]?.string, at: $0.place) }
    }

    private mutating func noteSettings(_ value: JSONValue) {
        let usual = [
            (value["settingEncodeUrl"], true), (value["settingDisableRenderRequestBody"], false),
            (value["settings"]?["encodeUrl"], true), (value["settings"]?["renderRequestBody"], true),
        ]
        let changed = usual.compactMap { $0?.bool == !$1 ? $0 : nil }
        note(.lost, "a setting for sending requests is not converted", changed)
    }

    /// Notes what belongs to a workspace in addition to requests and environments.
    private mutating func noteOthers(of workspace: InsomniaNode) {
        /// The resources of a type in the format v4, and the values of a key in the format v5.
        func all(_ type: String, _ key: String) -> [JSONValue] {
            let listed = workspace.value.list(key)
            let single = [workspace.value[key]].compactMap(\.self).filter { $0.kind == .object }
            return workspace.others.filter { $0["_type"]?.string == type } + listed + single
        }
        func isFilled(_ value: JSONValue?) -> Bool { value.map { $0.count > 0 || $0.string ?? "" != "" } ?? false }
        note(.lost, "unit tests are not converted", all("unit_test_suite", "testSuites"))
        note(.lost, "a mock server is not converted", all("mock_server", "server"))
        note(
            .lost, "the cookies of the collection are not converted",
            all("cookie_jar", "cookieJar").filter { isFilled($0["cookies"]) })
        note(
            .lost, "a certificate is not converted: pass --cert or --cacert", all("client_certificate", "certificates"))
        note(
            .remark, "the description of the API is not converted: import it as openapi",
            all("api_spec", "spec").filter { isFilled($0["contents"]) })
    }

    /// The whole API, once all requests are known.
    mutating func finished() -> (ImportedAPI, [ConversionNote]) {
        for (id, captures) in templates.captures.sorted(by: { $0.key < $1.key }) {
            if let position = positions[id] {
                let known = Set(reader.api.requests[position].captures.map(\.name))
                reader.api.requests[position].captures += captures.filter { !known.contains($0.name) }
            } else {
                let names = captures.map(\.name).joined(separator: ", ")
                let message = "a template refers to the response of a request that is not in the source"
                reader.notes.append(ConversionNote(.toDo, message, names, at: nil))
            }
        }
        let api = reader.finished()
        return (api, reader.notes + templates.notes)
    }
}

extension [CollectionRequest.Item] {
    /// The headers of a folder and of something inside it, whose headers override those of the folder.
    fileprivate func overridden(by inner: [CollectionRequest.Item]) -> [CollectionRequest.Item] {
        let names = Set(inner.filter { !$0.isDisabled }.map { $0.name.lowercased() })
        return filter { !$0.isDisabled && !names.contains($0.name.lowercased()) } + inner
    }
}

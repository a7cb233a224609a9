import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension PostmanRequestReader {
    mutating func readBody(_ body: JSONValue) {
        if body["disabled"]?.bool == true { return noteLost(body, "a disabled body is left out") }
        switch body["mode"]?.string {
        case "raw"?: readRaw(body)
        case "urlencoded"?: readForm(body["urlencoded"])
        case "formdata"?: readMultipart(body["formdata"])
        case "file"?: readFile(body["file"])
        case "graphql"?: readGraphQL(body["graphql"])
        case nil, "none"?: break
        case .some: noteLost(body, "a body of an unknown kind is not converted")
        }
    }

    private mutating func readRaw(_ body: JSONValue) {
        guard let text = body["raw"]?.string, !text.isEmpty else { return }
        let type: String? =
            switch body["options"]?["raw"]?["language"]?.string {
            case "json": "application/json"
            case "xml": "application/xml"
            case "html": "text/html"
            case "javascript": "application/javascript"
            case "text": "text/plain"
            default: nil
            }
        bareNames.formUnion(request.setBody(variables.template(text), type: type, isExact: options.isExact, &notes))
    }

    private mutating func readForm(_ source: JSONValue?) {
        if let text = source?.string {
            request.setBody(
                variables.template(text), type: "application/x-www-form-urlencoded", isExact: options.isExact, &notes)
            return
        }
        var fields: [(name: String, value: OrderedJSON)] = []
        for field in source.map({ Array($0.elements) }) ?? [] where field.kind == .object {
            let name = field["key"]?.scalarText ?? ""
            if field["disabled"]?.bool == true {
                addOptional(form: field, isMultipart: false)
            } else if !variables.template(name).placeholders.isEmpty || name.isEmpty {
                noteLost(field, "a field has no name, or a name with a variable")
            } else {
                fields.append((name, .string(variables.template(field["value"]?.scalarText ?? "").text)))
            }
        }
        if fields.isEmpty { return }
        request.body = OrderedJSON.Member("form", .object(.grouped(fields)))
        dropContentType("application/x-www-form-urlencoded")
    }

    private mutating func readMultipart(_ source: JSONValue?) {
        var parts: [(name: String, value: OrderedJSON)] = []
        for field in source.map({ Array($0.elements) }) ?? [] where field.kind == .object {
            let name = field["key"]?.scalarText ?? ""
            let type = field["contentType"]?.string.flatMap {
                $0.isEmpty ? nil : OrderedJSON.string(variables.template($0).text)
            }
            if field["disabled"]?.bool == true {
                addOptional(form: field, isMultipart: true)
            } else if !variables.template(name).placeholders.isEmpty || name.isEmpty {
                noteLost(field, "a field has no name, or a name with a variable")
            } else if field["type"]?.string == "file" {
                for file in Self.files(field["src"]) {
                    parts.append((name, .object(["file": .string(fileParam(name, file)), "contentType": type])))
                }
            } else {
                let text = variables.template(field["value"]?.scalarText ?? "").text
                parts.append((name, .object(["text": .string(text), "contentType": type])))
            }
        }
        if parts.isEmpty { return }
        request.body = OrderedJSON.Member("multipart", .object(.grouped(parts)))
        request.headers.removeAll { $0.name.lowercased() == "content-type" }
    }

    /// The paths of a file field. If no file is chosen, there is one empty path.
    private static func files(_ source: JSONValue?) -> [String] {
        guard let source else { return [""] }
        if source.kind == .array {
            let paths = source.elements.compactMap(\.string)
            return paths.isEmpty ? [""] : paths
        }
        return [source.string ?? ""]
    }

    /// A placeholder for a file. The path in the collection is valid only on the machine where the collection was made.
    private mutating func fileParam(_ name: String, _ path: String) -> String {
        let param = paramNames.take(name)
        let file = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        request.params.append(
            OrderedJSON.Member(
                param, .object(["type": "file", "description": file.isEmpty ? nil : .string("Such as \(file)")])))
        return "{{\(param)}}"
    }

    private mutating func readFile(_ source: JSONValue?) {
        if let text = source?["content"]?.string, !text.isEmpty {
            bareNames.formUnion(request.setBody(variables.template(text), isExact: options.isExact, &notes))
            return
        }
        request.body = OrderedJSON.Member(
            "file", .string(fileParam("file", source?["src"]?.string ?? source?.string ?? "")))
    }

    private mutating func readGraphQL(_ source: JSONValue?) {
        guard let source, let query = source["query"]?.string, !query.isEmpty else { return }
        let text = source["variables"]?.string ?? source["variables"].map { OrderedJSON($0).compact } ?? ""
        var graphQLVariables: OrderedJSON?
        if !text.trimmed.isEmpty {
            if let json = TemplateJSON(variables.template(text)), case .object = json.value {
                graphQLVariables = json.value
                bareNames.formUnion(json.bareNames)
                notes += json.notes(at: request.place)
            } else {
                notes.append(
                    ConversionNote(.lost, "the GraphQL variables are not a JSON object", at: source["variables"]?.place)
                )
            }
        }
        // Without `variables`, reqcli would require params with the names of the document's variables.
        if graphQLVariables == nil, query.contains("$") { graphQLVariables = .object([OrderedJSON.Member]()) }
        request.body = OrderedJSON.Member(
            "graphql",
            .object([
                "query": .string(variables.template(query).text), "variables": graphQLVariables,
                "operationName": source["operationName"]?.string.flatMap { $0.isEmpty ? nil : .literal($0) },
            ]))
        dropContentType("application/json")
    }

    private mutating func dropContentType(_ implied: String) {
        request.headers.removeAll {
            $0.name.lowercased() == "content-type" && $0.value.scalarText?.trimmed.lowercased() == implied
        }
    }
}

import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension PostmanRequestReader {
    mutating func readBody(_ body: CollectionRequest.Body) {
        switch body.content {
        case .text(let text, let type): readText(text, type)
        case .form(let fields): readForm(fields)
        case .multipart(let fields): readMultipart(fields)
        case .file(let path): request.body = .file(fileParam("file", path))
        case .graphQL(let query, let variables, let operation):
            readGraphQL(query, variables, operation, at: body.place)
        case .disabled: noteLost(body.place, "a disabled body is left out")
        case .unknown: noteLost(body.place, "a body of an unknown kind is not converted")
        }
    }

    private mutating func readText(_ text: String, _ type: String?) {
        if text.isEmpty { return }
        bareNames.formUnion(request.setBody(variables.template(text), type: type, isExact: options.isExact, &notes))
    }

    /// Whether a field has a name that an endpoint file can have. If not, adds a note.
    private mutating func hasName(_ field: CollectionRequest.Item) -> Bool {
        if !field.name.isEmpty, variables.template(field.name).placeholders.isEmpty { return true }
        noteLost(field.place, "a field has no name, or a name with a variable")
        return false
    }

    private mutating func readForm(_ source: [CollectionRequest.Item]) {
        var fields: [(name: String, value: OrderedJSON)] = []
        for field in source {
            if field.isDisabled {
                addOptional(form: field, isMultipart: false)
            } else if hasName(field) {
                fields.append((field.name, .string(variables.template(field.value ?? "").text)))
            }
        }
        if fields.isEmpty { return }
        request.body = .form(.grouped(fields))
        dropContentType("application/x-www-form-urlencoded")
    }

    private mutating func readMultipart(_ source: [CollectionRequest.Item]) {
        var parts: [(name: String, value: OrderedJSON)] = []
        for field in source {
            let type = field.contentType.map { variables.template($0).text }
            if field.isDisabled {
                addOptional(form: field, isMultipart: true)
            } else if hasName(field) {
                if let files = field.files {
                    for file in files {
                        parts.append((field.name, .part(file: fileParam(field.name, file), contentType: type)))
                    }
                } else {
                    let text = variables.template(field.value ?? "").text
                    parts.append((field.name, .part(text: .string(text), contentType: type)))
                }
            }
        }
        if parts.isEmpty { return }
        request.body = .multipart(.grouped(parts))
        request.headers.remove("Content-Type")
    }

    /// A placeholder for a file. The path in the collection is valid only on the machine where the collection was made.
    private mutating func fileParam(_ name: String, _ path: String) -> String {
        let param = paramNames.take(name)
        let file = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        request.params.append(ImportedParam(param, fileLike: file.isEmpty ? nil : file))
        return "{{\(param)}}"
    }

    private mutating func readGraphQL(_ query: String, _ text: String, _ operation: String?, at place: Place) {
        if query.isEmpty { return }
        var graphQLVariables: OrderedJSON?
        if !text.trimmed.isEmpty {
            if let json = TemplateJSON(variables.template(text)), case .object = json.value {
                graphQLVariables = json.value
                bareNames.formUnion(json.bareNames)
                notes += json.notes(at: request.place)
            } else {
                noteLost(place, "the GraphQL variables are not a JSON object")
            }
        }
        // Without `variables`, reqcli would require params with the names of the document's variables.
        if graphQLVariables == nil, query.contains("$") { graphQLVariables = .object([OrderedJSON.Member]()) }
        request.body = .graphQL(
            variables.template(query).text, variables: graphQLVariables,
            operationName: operation.flatMap { $0.isEmpty ? nil : .literal($0) })
        dropContentType("application/json")
    }

    private mutating func dropContentType(_ implied: String) {
        request.headers.removeAll {
            $0.name.lowercased() == "content-type" && $0.value.scalarText?.trimmed.lowercased() == implied
        }
    }
}

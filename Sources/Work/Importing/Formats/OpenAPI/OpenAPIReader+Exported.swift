import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

/// Reads what `export` adds to a description: endpoints, environments and schemas as their files state them.
extension OpenAPIReader {
    /// The endpoint that `export` made an operation from; nil for any other operation.
    func exported(_ operation: OpenAPIOperation) -> ImportedRequest? {
        guard isExported, let id = operation.id, let notation = operation.value[OpenAPIDocument.notationKey],
            notation.kind == .object
        else { return nil }
        var request = ImportedRequest(notation, at: operation.place)
        request.id = id
        request.key = OperationName.short(operation)
        request.name = id
        return request
    }

    /// The environments that `export` made the servers from; nil if there are no such servers.
    func exportedEnvironments() -> [ImportedEnvironment]? {
        guard isExported else { return nil }
        let found = (document.root["servers"]?.elementList ?? []).compactMap { server -> ImportedEnvironment? in
            guard let notation = server[OpenAPIDocument.notationKey], let name = notation["name"]?.string else {
                return nil
            }
            var environment = ImportedEnvironment(name: name, baseURL: notation["baseURL"]?.string)
            environment.description = notation["description"]?.string
            if let auth = notation["auth"] { environment.auth = ImportedAuth(notation: auth) }
            for variable in notation["variables"]?.memberList ?? [] where Name.isValid(variable.name) {
                if variable.value.kind == .null {
                    environment.secrets.append(OrderedJSON.Member(variable.name, ""))
                } else {
                    environment.variables.append(OrderedJSON.Member(variable.name, OrderedJSON(variable.value)))
                }
            }
            for secret in notation["secrets"]?.elementList ?? [] {
                environment.secrets += secret.string.map { [OrderedJSON.Member(SecretPass.statedMark + $0, "")] } ?? []
            }
            return environment
        }
        return found.isEmpty ? nil : found
    }

    /// The files of schemas that `export` made the components from.
    func exportedSchemas() -> [OrderedJSON.Member] {
        let files = document.root[OpenAPIDocument.notationKey]?["schemas"]?.memberList ?? []
        return files.compactMap { file in
            guard file.name.hasSuffix(".json") else { return nil }
            let path = String(file.name.dropLast(".json".count))
            let words = path.split(omittingEmptySubsequences: false) { "/.".contains($0) }
            return words.allSatisfy { Name.isValid(String($0)) }
                ? OrderedJSON.Member(path, OrderedJSON(file.value)) : nil
        }
    }
}

extension ImportedRequest {
    /// Makes a request from the notation that `export` adds to an operation.
    ///
    /// - Parameter notation: The endpoint, with everything that it gets from its group. Keys that `export` doesn't write are
    ///   ignored, because a description may come from anyone.
    fileprivate init(_ notation: JSONValue, at place: Place) {
        func members(_ key: String) -> [OrderedJSON.Member] {
            notation[key].flatMap { OrderedJSON($0).objectMembers } ?? []
        }
        let path = notation["path"]?.string ?? ""
        self.init(
            at: place, method: notation["method"]?.string ?? "GET", base: notation["baseURL"]?.string,
            path: path.hasPrefix("/") ? path : "/" + path)
        description = notation["description"]?.string
        tags = notation["tags"]?.elementList.compactMap(\.string) ?? []
        params = notation["params"]?.memberList.map { ImportedParam($0.name, notation: $0.value) } ?? []
        headers = members("headers")
        query = notation["query"]?.string.map { .text($0) } ?? .items(members("query"))
        if let value = notation["auth"] { auth = ImportedAuth(notation: value) }
        body = members("body").first.flatMap { ImportedBody(notation: $0) }
        expect = members("expect").nonEmpty
        response = members("response").nonEmpty
        variants = notation["stubs"]?["variants"]?.memberList.map { ImportedVariant($0.name, $0.value) } ?? []
    }
}

extension ImportedVariant {
    fileprivate init(_ name: String, _ notation: JSONValue) {
        let status = notation["status"].flatMap { Int($0.numberText) } ?? 200
        self.init(name, status: (100...599).contains(status) ? status : 200)
        description = notation["description"]?.string
        headers = notation["headers"].flatMap { OrderedJSON($0).objectMembers } ?? []
        body = notation["text"]?.string.map { .text($0) } ?? notation["json"].map { .json(OrderedJSON($0)) }
    }
}

extension ImportedAPI {
    /// Declares the secrets that requests and environments refer to in the notation of files. Otherwise, such a name could mean a
    /// secret of an existing environment.
    mutating func declareNamedSecrets() {
        let known = Set(environments.flatMap(\.secrets).map(\.name))
        let missing = Set(placeholders).filter { $0.hasPrefix(SecretPass.statedMark) }.subtracting(known)
        if missing.isEmpty { return }
        if environments.isEmpty { environments = [ImportedEnvironment()] }
        environments[0].secrets += missing.sorted().map { OrderedJSON.Member($0, "") }
    }
}

import RequestBuilding

extension RequestBuilder {
    static let employees = get("employees")
    static func employee(_ id: Int) -> RequestBuilder { get("employee/\(id)") }
    static func create(_ fields: [String: String]) -> RequestBuilder { jsonPost("create", fields) }
    static func update(_ id: Int, _ fields: [String: String]) -> RequestBuilder {
        RequestBuilder(path: "update/\(id)").method(.put).jsonBody(fields)
    }
    static func delete(_ id: Int) -> RequestBuilder { RequestBuilder(path: "delete/\(id)").method(.delete) }
    static func search(name: String? = nil, salary: Int? = nil, age: Int? = nil) -> RequestBuilder {
        get("search").addingQuery([("name", name), ("salary", salary.map(String.init)), ("age", age.map(String.init))])
    }
}

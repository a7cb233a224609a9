import ReqcliBasics

/// The names by which scripts of a tool read the response, state conditions, and keep values.
struct ScriptDialect: Sendable {
    enum Meaning: Equatable, Sendable {
        case value(ScriptValue)
        /// A value with a name: `read("name")`, `object.name` or `object["name"]`.
        case header, cookie, variable
        /// `expect(value)`, and the object that has conditions on the response as its members.
        case expect, response
        /// `test("name", function)` or `tests["name"] = condition`.
        case test
        /// `assert(condition)`.
        case assert
        /// `set("name", value)`.
        case set
        /// A call that only prints.
        case ignored

        /// The header, cookie or variable of a name.
        func value(named name: String) -> ScriptValue? {
            switch self {
            case .header: name.isToken ? .header(name) : nil
            case .cookie: name.isToken ? .cookie(name) : nil
            case .variable: .variable(name)
            default: nil
            }
        }
    }

    /// The meanings of names. A name with `()` is a call, and `x[]` is any member of `x`.
    let meanings: [String: Meaning]

    private init(_ names: KeyValuePairs<Meaning, [String]>) {
        let printing = ["log", "info", "warn", "error"].map { ("console.\($0)()", Meaning.ignored) }
        let named = names.flatMap { meaning, names in names.map { ($0, meaning) } }
        meanings = Dictionary(printing + named) { $1 }
    }

    static let postman = ScriptDialect([
        .value(.status): ["pm.response.code", "responseCode.code"],
        .value(.time): ["pm.response.responseTime", "responseTime"],
        .value(.json([])): ["pm.response.json()"],
        .value(.text): ["pm.response.text()", "responseBody"],
        .header: ["pm.response.headers.get()", "postman.getResponseHeader()", "responseHeaders[]"],
        .cookie: ["pm.cookies.get()"],
        .variable: [
            "pm.environment.get()", "pm.variables.get()", "pm.collectionVariables.get()", "pm.globals.get()",
            "pm.baseEnvironment.get()", "postman.getEnvironmentVariable()", "postman.getGlobalVariable()",
            "environment[]", "globals[]",
        ],
        .set: [
            "pm.environment.set()", "pm.variables.set()", "pm.collectionVariables.set()", "pm.globals.set()",
            "pm.baseEnvironment.set()", "postman.setEnvironmentVariable()", "postman.setGlobalVariable()",
        ],
        .test: ["pm.test()", "tests[]"],
        .expect: ["pm.expect()"],
        .response: ["pm.response.to"],
    ])

    /// Insomnia has the names of Postman, with its own name for `pm`.
    static let insomnia = ScriptDialect(
        postman.meanings.reduce(into: postman.meanings) { $0[$1.key.replacing("pm.", with: "insomnia.")] = $1.value })

    private init(_ meanings: [String: Meaning]) { self.meanings = meanings }

    static let jetBrains = ScriptDialect([
        .value(.status): ["response.status"],
        .value(.json([])): ["response.body"],
        .header: ["response.headers.valueOf()"],
        .variable: ["client.global.get()", "request.variables.get()", "request.environment.get()"],
        .set: ["client.global.set()"],
        .test: ["client.test()"],
        .assert: ["client.assert()"],
        .ignored: ["client.log()"],
    ])

    static let bruno = ScriptDialect([
        .value(.status): ["res.status", "res.getStatus()"],
        .value(.time): ["res.responseTime", "res.getResponseTime()"],
        .value(.json([])): ["res.body", "res.getBody()"],
        .header: ["res.headers[]", "res.getHeader()"],
        .variable: ["bru.getVar()", "bru.getEnvVar()", "bru.getGlobalEnvVar()"],
        .set: ["bru.setVar()", "bru.setEnvVar()", "bru.setGlobalEnvVar()"],
        .test: ["test()"],
        .expect: ["expect()"],
    ])
}

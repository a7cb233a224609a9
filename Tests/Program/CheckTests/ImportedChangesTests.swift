import HostileServing
import ReqcliBasics
import Testing
import ToolSupport

/// An imported description with operations that change something, against a server that counts what arrives.
@Suite(.serialized) struct ImportedChangesTests {
    private static func source(port: Int) -> String {
        """
        openapi: 3.0.3
        info: { title: Pets, version: "1" }
        servers: [ { url: "http://127.0.0.1:\(port)" } ]
        paths:
          /pets:
            get: { operationId: listPets, tags: [pets], responses: { 200: { description: ok } } }
            post: { operationId: addPet, tags: [pets], requestBody: { content: { application/json: { schema: {
              type: object, properties: { name: { type: string, example: Rex } } } } } }, responses: { 201: { description: ok } } }
          /pets/{id}:
            parameters: [ { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } } ]
            get: { operationId: getPet, tags: [pets], responses: { 200: { description: ok } } }
            put: { operationId: replacePet, tags: [pets], responses: { 200: { description: ok } } }
            patch: { operationId: renamePet, tags: [pets], responses: { 200: { description: ok } } }
            delete: { operationId: deletePet, tags: [pets], responses: { 200: { description: ok } } }
        """
    }

    /// The commands that an import's notes recommend.
    private static func recommended(in messages: String) -> [[String]] {
        messages.split(separator: "\"").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == "reqcli" && $0.count > 1 }.map { Array($0.dropFirst()) }
    }

    @Test("After an import, nothing is changed on the server that nobody asked for")
    func petstore() async throws {
        let methods = Mutex<[String]>([])
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let method = request.line.prefix { $0 != " " }
                methods.withLock { $0.append(String(method)) }
                connection.respond(200, body: "{}")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(["pets.yaml": Self.source(port: server.port)])
        let imported = try await Tool.run(["import", "openapi", "pets.yaml"], in: workspace)
        #expect(imported.status == 0, "\(imported.errors)")
        let commands =
            Self.recommended(in: imported.errors + imported.outputText)
            + [
                ["check"], ["check", "--list"], ["check", "pets"], ["check", "pets.*"], ["check", "--jobs", "8"],
                ["check", "--probe"], ["check", "--report", "json=last.json"], ["check", "--failed", "last.json"],
                ["check", "--openapi", "pets.yaml"], ["check", "--shard", "1/2"], ["check", "--exclude", "pets.get"],
                ["drift"], ["validate"], ["list"],
            ]
        for command in commands {
            _ = try await Tool.run(command, in: workspace)
        }
        #expect(Set(methods.withLock { $0 }) == ["GET"])

        // Once its endpoint expects something, somebody has asked for it.
        let file = String(decoding: workspace.read("endpoints/pets.json") ?? [], as: UTF8.self)
        let method = #""method": "DELETE","#
        try workspace.write(
            "endpoints/pets.json", file.replacing(method, with: method + #" "expect": { "status": 200 },"#))
        let asked = try await Tool.run(["check"], in: workspace)
        #expect(Set(methods.withLock { $0 }) == ["GET", "DELETE"], "\(asked.errors)")
    }
}

import TestSupport
import Testing
import ToolSupport

/// The code of an API whose description was imported.
@Suite struct ImportedAPITests {
    private static let description = ##"""
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: "https://pets.example.com/v1"}]
        paths:
          /pets:
            get:
              operationId: listPets
              parameters:
                - {name: status, in: query, schema: {type: string, enum: [sold, available]}}
              responses:
                "200":
                  description: all
                  content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
            post:
              operationId: addPet
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
              responses:
                "201":
                  description: made
                  content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
          /pets/{id}:
            put:
              operationId: changePet
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              requestBody:
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
              responses:
                "404": {description: none, content: {application/json: {example: {error: "none"}}}}
            delete:
              operationId: deletePet
              deprecated: true
              summary: Deprecated in favour of "changePet"
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses: {"204": {description: gone}}
        components:
          schemas:
            Pet:
              type: object
              required: [id, name]
              properties:
                id: {type: integer, readOnly: true}
                name: {type: string}
                status: {type: string, enum: [available, sold]}
                born: {type: string, format: date-time}
                day: {type: string, format: date}
                owner: {$ref: "#/components/schemas/Error"}
            Error:
              type: object
              properties: {name: {type: string}}
        """##

    private func generated(
        _ words: [String] = ["--models"], from description: String = description
    ) async throws -> (ToolWorkspace, ToolRun) {
        let workspace = try ToolWorkspace(["endpoints/.keep": "", "pets.yaml": description])
        let imported = try await Tool.run(["import", "openapi", "pets.yaml"], in: workspace)
        #expect(imported.status == 0, "\(imported.errors)")
        let made = try await Tool.run(["generate", "swift", "-o", "out", "--module", "Pets"] + words, in: workspace)
        #expect(made.status == 0, "\(made.errors)")
        return (workspace, made)
    }

    private func text(_ name: String, in workspace: ToolWorkspace) -> String {
        String(decoding: workspace.read("out/" + name) ?? [], as: UTF8.self)
    }

    @Test func aBodyHasTheTypeOfItsSchema() async throws {
        let (workspace, _) = try await generated()
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        #expect(calls.contains("public init(body: Pet) {"), "\(calls)")
        #expect(calls.contains("public init(id: Int, body: Pet) {"))
        #expect(calls.contains(".body(json: values.json(body))"))
        let models = text("Pets/Models.swift", in: workspace)
        // Only responses have the id, so a pet to send doesn't need one.
        #expect(models.contains("id: Int? = nil, name: String, status: Status? = nil"), "\(models)")
    }

    @Test func aRequestThatChangesSomethingHasATypedResponseAndIsNoCase() async throws {
        let (workspace, _) = try await generated()
        let endpoints = String(decoding: workspace.read("endpoints/pets.json") ?? [], as: UTF8.self)
        #expect(
            endpoints.contains(##""response": { "status": 201, "schema": "pets.json#/$defs/Pet" }"##), "\(endpoints)")
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        let add = calls.split(separator: "public struct ").first { $0.hasPrefix("Add:") } ?? ""
        #expect(add.contains("public typealias Value = Pet\n"), "\(calls)")
        let variants = text("PetsStubs/PetsAPI+Variants.swift", in: workspace)
        let stubs = variants.split(separator: "extension PetsAPI.").first { $0.hasPrefix("Add ") } ?? ""
        #expect(stubs.contains("status: 201"), "\(variants)")
        let cases = try await Tool.run(["check", "--list"], in: workspace)
        let listed = String(decoding: cases.output, as: UTF8.self)
        #expect(listed.contains("pets.list") && !listed.contains("pets.add"), "\(listed)")
    }

    @Test func withoutModelsABodyIsMadeOfParams() async throws {
        let (workspace, _) = try await generated([])
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        #expect(
            calls.contains(
                "name: String, status: Status? = nil, born: Date? = nil, day: String? = nil, owner: JSONLiteral? = nil"
            ), "\(calls)")
    }

    @Test func theSameEnumIsOneType() async throws {
        let (workspace, _) = try await generated()
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        #expect(calls.contains("public typealias Status = Pet.Status"))
        #expect(!calls.contains("public enum Status"))
        let (plain, _) = try await generated([])
        let others = text("Pets/PetsAPI.swift", in: plain)
        #expect(others.components(of: "public enum Status") == 1)
        #expect(others.components(of: "public typealias Status = PetsAPI.") == 2)
    }

    @Test func aDateTimeIsADateAndNamesAreSpecific() async throws {
        let (workspace, _) = try await generated()
        let models = text("Pets/Models.swift", in: workspace)
        #expect(models.contains("public import Foundation\n"))
        #expect(models.contains("public var born: Date?"))
        #expect(models.contains("public var day: String?"))
        #expect(models.contains("public struct ErrorModel: "))
    }

    private static let params = ##"""
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: "https://pets.example.com/v1"}]
        paths:
          /pets:
            get:
              operationId: listPets
              parameters:
                - {name: status, in: query, schema: {$ref: "#/components/schemas/PetStatus"}}
                - {name: not_status, in: query, schema: {$ref: "#/components/schemas/PetStatus"}}
                - {name: from, in: query, schema: {type: string, format: date-time}}
                - {name: until, in: query, schema: {type: string, format: date-time, default: "2026-01-02T00:00:00Z"}}
                - {name: days, in: query, schema: {type: array, items: {type: string, format: date-time}}}
                - {name: day, in: query, schema: {type: string, format: date}}
                - {name: old, in: query, deprecated: true, schema: {type: string}}
              responses:
                "200":
                  description: all
                  content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
        components:
          schemas:
            PetStatus: {type: string, enum: [sold, available]}
            Pet:
              type: object
              properties:
                state: {$ref: "#/components/schemas/PetStatus"}
                earlier: {type: string, enum: [available, sold]}
        """##

    @Test func aDateTimeParamIsADate() async throws {
        let (workspace, _) = try await generated(from: Self.params)
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        #expect(calls.contains("public import Foundation\n"))
        #expect(calls.contains("from: Date? = nil, until: Date? = nil,"), "\(calls)")
        #expect(calls.contains("days: [Date] = [], day: String? = nil"))
        #expect(calls.contains(#".queryItem("from", from.map { JSONLiteral.date($0).text })"#), "\(calls)")
        #expect(calls.contains(#".queryItem("days", repeating: days.map { JSONLiteral.date($0).text })"#), "\(calls)")
        let sent = try await Tool.run(["render", "pets.list", "day=31.1.2026"], in: workspace)
        #expect(sent.errors.contains(#"day takes a date such as "2026-03-01"; found "31.1.2026""#), "\(sent.errors)")
    }

    @Test func anEnumIsOneTypeUnderEachName() async throws {
        let (workspace, _) = try await generated(from: Self.params)
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        #expect(calls.contains("public typealias Status = PetStatus\n"), "\(calls)")
        #expect(calls.contains("public typealias NotStatus = PetStatus\n"))
        let models = text("Pets/Models.swift", in: workspace)
        #expect((calls + models).components(of: "public enum ") == 2, "\(models)")
        #expect(models.contains("public var earlier: PetStatus?"))
    }

    @Test func aDeprecatedParamHasItsOwnInitializer() async throws {
        let (workspace, _) = try await generated(from: Self.params)
        let calls = text("Pets/PetsAPI.swift", in: workspace)
        let parts = calls.split(separator: "        public init(")
        #expect(parts.count == 3, "\(calls)")
        #expect(!parts[1].contains("old: String?") && parts[1].contains("self.old = nil\n"))
        #expect(parts[1].hasSuffix("@available(*, deprecated)\n"))
        #expect(parts[2].contains("old: String? = nil\n") && parts[2].contains("self.old = old\n"))
    }

    @Test func aDeprecatedCallSaysSo() async throws {
        let (workspace, _) = try await generated()
        let calls = text("Pets/PetsAPI.swift", in: workspace) + text("Pets/PetsDeprecatedAPI.swift", in: workspace)
        #expect(
            calls.contains(#"@available(*, deprecated, message: "Deprecated in favour of \"changePet\"")"#), "\(calls)")
    }

    @Test func aVariantIsMadeFromTheSchemaAndASuccessIsStandard() async throws {
        let (workspace, _) = try await generated()
        let variants = text("PetsStubs/PetsAPI+Variants.swift", in: workspace)
        #expect(variants.contains("/// A response made from the schema."), "\(variants)")
        #expect(variants.contains(#""born":"2026-01-01T00:00:00Z""#))
        let lists = text("PetsStubs/Variants.swift", in: workspace)
        #expect(lists.contains("public enum PetsVariants {"))
        #expect(lists.contains("PetsAPI.List.Variant.standard"), "\(lists)")
        #expect(lists.contains("PetsAPI.Change.Variant.standard"), "\(lists)")
    }

    @Test func noFailureIsStandard() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/pets.json":
                #"{"endpoints": {"change": {"path": "a", "stubs": {"variants": {"none": {"status": 404}}}}}}"#,
            "environments/development.json": #"{"baseURL": "http://localhost"}"#,
        ])
        #expect(try await Tool.run(["generate", "swift", "-o", "out"], in: workspace).status == 0)
        let lists = text("APIStubs/Variants.swift", in: workspace)
        #expect(lists.contains("StubVariant") && !lists.contains("Change.Variant"), "\(lists)")
    }

    @Test func theModuleOfStubsAlwaysExists() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "a"}"#, "environments/development.json": #"{"baseURL": "http://localhost"}"#,
        ])
        let made = try await Tool.run(["generate", "swift", "-o", "out"], in: workspace)
        #expect(made.status == 0)
        let lists = text("APIStubs/Variants.swift", in: workspace)
        #expect(lists.contains("public static var standard: [any StubVariant] {\n        []\n    }"), "\(lists)")
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

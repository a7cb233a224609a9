import Foundation
@_spi(Generated) import RequestBuilding
import Testing

/// Random values and times of generated requests, with a seed and without.
@Suite struct SeedTests {
    private let base = RequestBuilder().baseURL("http://h").named("todos.get").value("$environment", "test")
    private let call = RequestBuilder.deferred { values in
        RequestBuilder().header("A", values.uuid(at: "a#/headers/A 0 0"))
            .header("B", values.randomInt(at: "a#/headers/B 0 0").text)
            .header("C", values.uuid(at: "a#/headers/C 0 0"))
    }

    private func values(_ base: RequestBuilder) throws -> [String] {
        try base.appending(call).prepared().headers.map(\.value)
    }

    @Test func areTheSameWithTheSameSeed() throws {
        let first = try values(base.seed("1"))
        #expect(Set(first).count == 3)
        #expect(try values(base.seed("1")) == first)
        #expect(try values(base.seed("2").seed("1").path("other")) == first)
    }

    @Test func areOthersWithAnotherSeedNameOrEnvironment() throws {
        let bases = [
            base.seed("1"), base.seed("2"), base.seed("1").named("todos.list"),
            base.seed("1").value("$environment", "other"), base, base,
        ]
        #expect(Set(try bases.flatMap(values)).count == 3 * bases.count)
    }

    /// The words and their order are those of reqcli: the values must not change with a version.
    @Test func areTheHashOfTheirWords() throws {
        let name = "endpoints/todos.json#/endpoints/get/headers/X-Id 0 0"
        let request = try base.seed("7").deferred { values in
            RequestBuilder().header("A", values.uuid(at: name)).header("B", values.randomInt(at: name).text)
        }.prepared()
        #expect(request.headers["A"] == "25b18eae-371b-4ca0-bb68-073ff18354da")
        #expect(request.headers["B"] == "504613852")
    }

    @Test func haveTheTimeOfTheBase() throws {
        let call = RequestBuilder.deferred { values in
            RequestBuilder().header("A", values.timestamp.text).header("B", values.isoTimestamp)
        }
        let request = try base.time(Date(timeIntervalSince1970: 1_767_225_600.75)).appending(call).prepared()
        #expect(request.headers["A"] == "1767225600")
        #expect(request.headers["B"] == "2026-01-01T00:00:00Z")
    }
}

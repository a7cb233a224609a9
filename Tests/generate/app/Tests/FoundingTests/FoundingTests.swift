import API
import APIStubs
import Exchange
import Foundation
import RequestBuilding
import Testing

struct FoundingTests {
    private func url(_ call: some EndpointCall, _ requests: RequestBuilder = APIEnvironment.development) throws
        -> String
    {
        try requests.appending(call.request).prepared().url.absoluteString
    }

    /// An environment's baseline, and what an endpoint overrides
    @Test func environments() async throws {
        #expect(
            try url(UserAPI.Feed(userID: 123, ascending: true))
                == "http://localhost:8080/v3/user/123/feed?order=ascending")
        let staging = APIEnvironment.staging(apiToken: { "t0ken" })
        let ping = try await staging.appending(PingAPI().request).awaitingValues().prepared()
        #expect(ping.headers["Authorization"] == "Bearer t0ken")
    }

    /// A client, middlewares and stubs
    @Test func client() async throws {
        let client = APIClient(base: APIEnvironment.development).stubbingAll(APIVariants.standard)
        struct Todo: Decodable { let title: String }
        let todo: Todo = try await client.value(of: TodosAPI.Get(id: 1))
        #expect(todo.title == "Buy milk")
        let missing: Todo? = try await client.stubbing(TodosAPI.Get.Variant.missing)
            .valueIfPresent(of: TodosAPI.Get(id: 2))
        #expect(missing == nil)
    }

    /// Variants of one endpoint
    @Test(arguments: zip(BreedsAPI.List.Variant.allCases, [14, 0, nil, 19]))
    func breeds(_ variant: BreedsAPI.List.Variant, count: Int?) async throws {
        struct Page: Decodable { let data: [Breed] }
        struct Breed: Decodable { let breed: String }
        let client = APIClient(base: APIEnvironment.development).stubbing(variant)
        let page: Page? = try? await client.value(of: BreedsAPI.List())
        #expect(page?.data.count == count)
    }

    /// The immutable builder
    @Test func search() throws {
        #expect(
            try url(UsersAPI.Search(city: "San Francisco", maxResults: 100))
                == "http://localhost:8080/users/search?city=San%20Francisco&maxResults=100")
    }

    /// A family of requests
    @Test func employees() throws {
        #expect(try url(EmployeeAPI.Get(id: 1)) == "http://localhost:8080/api/v1/employee/1")
        #expect(
            try url(EmployeeAPI.Search(name: "test", salary: 1000))
                == "http://localhost:8080/api/v1/search?name=test&salary=1000")
    }
}

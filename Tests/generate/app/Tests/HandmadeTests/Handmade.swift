import Exchange
import Foundation
import RequestBuilding

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum APIEnvironment {
    private static func environment(_ name: String) -> RequestBuilder {
        RequestBuilder()
            .sharedHeaders(["Content-Type": "application/json"])
            .header("Accept", "application/json")
            .header("X-Environment", name)
    }

    static let development = environment("development")
        .scheme("http").host("localhost").port(8080)
        .timeout(.seconds(120))
        .cachePolicy(.reloadIgnoringLocalCacheData)

    static func staging(apiToken: @escaping @Sendable () throws -> String) -> RequestBuilder {
        environment("staging")
            .scheme("https").host("staging.example.com")
            .timeout(.seconds(60))
            .cachePolicy(.useProtocolCachePolicy)
            .deferred(.header("Authorization")) { _ in try RequestBuilder().authorization(bearer: apiToken()) }
    }
}

struct PingAPI: EndpointCall {
    var request: RequestBuilder { .get("ping") }
}

enum UserAPI {
    struct Feed: EndpointCall {
        var userID: Int
        var ascending = false

        var request: RequestBuilder {
            RequestBuilder()
                .path("/v3/user/\(userID)/feed")
                .queryItem("order", ascending ? "ascending" : "descending")
        }
    }
}

enum TodosAPI {
    struct Get: EndpointCall {
        var id: Int
        var request: RequestBuilder { RequestBuilder().path("/todos/\(id)") }

        enum Variant: String, StubVariant {
            case standard, missing

            typealias Call = Get
            var stubs: [Stub] {
                switch self {
                case .standard: [Stub(json: #"{"id": 1, "title": "Buy milk", "completed": false}"#)]
                case .missing: [Stub(status: 404)]
                }
            }
        }
    }
}

enum BreedsAPI {
    struct List: EndpointCall {
        var request: RequestBuilder { .get("/breeds") }

        enum Variant: String, StubVariant {
            case standard, empty, malformed
            case withMore = "with_more"

            typealias Call = List
            var stubs: [Stub] { [Stub(file: "stubs/breeds.list.\(rawValue).json")] }
        }
    }
}

enum UsersAPI {
    struct Search: EndpointCall {
        var city: String
        var maxResults: Int?

        var request: RequestBuilder {
            RequestBuilder()
                .path("users/search")
                .queryItem("city", city)
                .queryItem("maxResults", maxResults.map { "\($0)" })
        }
    }
}

enum EmployeeAPI {
    struct Get: EndpointCall {
        var id: Int
        var request: RequestBuilder { RequestBuilder().path(segments: ["api", "v1", "employee", "\(id)"]) }
    }

    struct Search: EndpointCall {
        var name: String?
        var salary: Double?
        var age: Int?

        var request: RequestBuilder {
            RequestBuilder()
                .path(segments: ["api", "v1", "search"])
                .queryItem("name", name)
                .queryItem("salary", salary.map { JSONLiteral.number($0).text })
                .queryItem("age", age.map { "\($0)" })
        }
    }
}

enum APIVariants {
    static var standard: [any StubVariant] { [TodosAPI.Get.Variant.standard, BreedsAPI.List.Variant.standard] }
}

import Importing
import ReqcliText

/// Requests as a reader would find them, and the files that become of them.
enum Passes {
    static let place = Place(SourceFile(name: "source", text: "source"), 0..<6)

    static func request(_ method: String, _ url: String, name: String? = nil) -> ImportedRequest {
        let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[scheme...].firstIndex(of: "/") ?? url.endIndex
        var request = ImportedRequest(
            at: place, method: method, base: String(url[..<end]), path: end == url.endIndex ? "/" : String(url[end...]))
        request.name = name
        return request
    }

    static func run(
        _ requests: [ImportedRequest], environments: [ImportedEnvironment] = [], title: String? = nil,
        target: ImportTarget = ImportTarget()
    ) -> ImportedWorkspace {
        var api = ImportedAPI(title: title)
        api.requests = requests
        api.environments = environments
        return ImportPipeline.run(api, [], into: target)
    }
}

extension ImportedWorkspace {
    /// Every file that would be made, as JSON on one line each: its path and its content.
    var text: [String: String] {
        var text: [String: String] = [:]
        for group in groups {
            text[group.id] =
                OrderedJSON.object([
                    "description": group.description.map { .string($0) },
                    "defaults": group.defaults.isEmpty ? nil : .object(group.defaults),
                    "endpoints": .object(group.endpoints),
                ]).compact
        }
        for single in singles { text[single.id] = single.definition.compact }
        for environment in environments {
            text["env:\(environment.name)"] = OrderedJSON.object(environment.members).compact
        }
        for file in files { text[file.path] = String(decoding: file.bytes, as: UTF8.self) }
        return text
    }
}

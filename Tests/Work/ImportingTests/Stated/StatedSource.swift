import ReqcliDefinitions
import ReqcliText

@testable import Importing

/// What a source sends for each of its requests, worked out beside the readers, which make endpoints of it.
struct StatedSource {
    /// The requests by the places at which they stand; several at one place can't be told apart.
    private var found: [String: [StatedRequest?]] = [:]

    /// - Parameter api: What the reader has made of the source: it says which values only a run has.
    init(_ format: any ImportFormat.Type, _ source: ImportSource, readAs api: ImportedAPI) throws(ImportProblem) {
        let captured = Set(api.requests.flatMap { $0.captures.map(\.name) })
        let environment = api.environments.first?.statedValues ?? [:]
        switch format {
        case is CurlImport.Type: readCurl(source)
        case is HARImport.Type: try readHAR(source)
        case is HurlImport.Type: try readHurl(source, environment, captured)
        case is HTTPFileImport.Type: readHTTPFiles(source, environment, captured)
        case is BrunoImport.Type: try readBruno(source, captured)
        case is PostmanImport.Type: try readPostman(source, captured)
        default: break
        }
    }

    /// What is sent for a request of the reader; nil where the source doesn't say it.
    func request(at place: Place) -> StatedRequest? {
        let requests = found[Self.key(place)] ?? []
        return requests.count == 1 ? requests[0] : nil
    }

    private static func key(_ place: Place) -> String { "\(place.file.name):\(place.range.lowerBound)" }

    private mutating func add(_ request: StatedRequest?, at place: Place) {
        found[Self.key(place), default: []].append(request)
    }

    // MARK: Formats

    private mutating func readCurl(_ source: ImportSource) {
        for file in source.files {
            for command in CurlCommand.read(ShellScript.read(file, dialect: nil)).commands {
                for target in command.targets { add(CurlStatement(command, target).stated, at: command.place) }
            }
        }
    }

    private mutating func readHAR(_ source: ImportSource) throws(ImportProblem) {
        for file in source.files {
            let root = try SourceJSON.root(of: file)
            let single = root["request"] ?? root
            let requests =
                HARImport.isRequest(single) ? [single] : root["log"]?.list("entries").compactMap { $0["request"] } ?? []
            for request in requests {
                add(HARStatement(source: request).stated, at: request["url"]?.place ?? request.place)
            }
        }
    }

    private mutating func readHurl(
        _ source: ImportSource, _ environment: [String: String], _ captured: Set<String>
    ) throws(ImportProblem) {
        for file in source.files where source.files.count == 1 || file.name.hasSuffix(".hurl") {
            var values = StatedValues(environment, leavingOpen: captured)
            for entry in try HurlParser(file).entries {
                var mapping = HurlMapping(entry, isExact: false)
                let place = mapping.request().place
                values.set(mapping.variables.statedValues)
                add(HurlStatement(entry: entry, values: values).stated, at: place)
            }
        }
    }

    private mutating func readHTTPFiles(
        _ source: ImportSource, _ environment: [String: String], _ captured: Set<String>
    ) {
        for file in source.files where !HTTPFileEnvironments.isOne(file) {
            let lines = HTTPFileLines(file)
            var values: [String: String] = [:]
            for variable in lines.variables where !variable.isReference {
                values[ParamNames.clean(variable.name)] = variable.value
            }
            // Editors disagree on which of two values counts.
            let rivals = values.keys.filter { environment[$0] != nil && environment[$0] != values[$0] }
            let all = StatedValues(environment, values, leavingOpen: captured.union(rivals))
            for block in lines.blocks {
                guard let place = block.request.first?.place else { continue }
                add(HTTPFileStatement(block: block, values: all).stated, at: place)
            }
        }
    }

    private mutating func readBruno(_ source: ImportSource, _ captured: Set<String>) throws(ImportProblem) {
        var levels: [String: BrunoLevel] = [:]
        var root: String?
        var environment: [String: String]?
        var requests: [(folder: String, file: BruFile)] = []
        for source in source.files where source.name.hasSuffix(".bru") {
            let file = try BruFile(source)
            let folder = FilePath.parent(source.name)
            if ["collection.bru", "folder.bru"].contains(SourceFolder.name(of: source)) {
                levels[folder] = BrunoLevel(file)
                if SourceFolder.name(of: source) == "collection.bru" { root = folder }
            } else if folder.hasSuffix("/environments") {
                if environment == nil { environment = file["vars"]?.pairs.statedValues ?? [:] }
            } else {
                requests.append((folder, file))
            }
        }
        let shared = root.flatMap { levels[$0]?.variables.statedValues } ?? [:]
        let values = StatedValues(shared, environment ?? [:], leavingOpen: captured)
        for (folder, file) in requests {
            guard let start = BrunoMapping.start(of: file) else { continue }
            let around = levels.filter { folder == $0.key || folder.hasPrefix($0.key + "/") }
                .sorted { $0.key.utf8.count < $1.key.utf8.count }.map(\.value)
            // The first level is the collection's, whose variables belong to the environments.
            let statement = BrunoStatement(file, root == nil ? [BrunoLevel()] + around : around, values)
            let method = start.name == "http" ? start.value("method") ?? "get" : start.name
            add(statement.stated(method: method.uppercased(), start), at: start.place)
        }
    }

    private mutating func readPostman(_ source: ImportSource, _ captured: Set<String>) throws(ImportProblem) {
        let roots = try source.files.map { file throws(ImportProblem) in try SourceJSON.root(of: file) }
        let environment = roots.first { $0["values"]?.kind == .array }.map { Self.values($0.list("values")) } ?? [:]
        let collections = roots.map { $0["collection"] ?? $0 }.filter { $0["item"]?.kind == .array }
        var own: [String: String] = [:]
        for collection in collections { own.merge(Self.values(collection.list("variable"))) { first, _ in first } }
        let values = StatedValues(own, environment, leavingOpen: captured)
        for collection in collections { read(items: collection, auth: nil, keepsBodies: false, values) }
    }

    private mutating func read(items parent: JSONValue, auth: JSONValue?, keepsBodies: Bool, _ values: StatedValues) {
        func keeps(_ item: JSONValue) -> Bool? {
            item["protocolProfileBehavior"]?["disableBodyPruning"]?.bool
        }
        let auth = parent["auth"].flatMap { $0.isNull ? nil : $0 } ?? auth
        let keepsBodies = keeps(parent) ?? keepsBodies
        for item in parent.list("item") {
            if item["item"]?.kind == .array {
                let inner = values.adding([Self.values(item.list("variable"))])
                read(items: item, auth: auth, keepsBodies: keepsBodies, inner)
            } else if let request = item["request"] {
                let statement = PostmanStatement(
                    request, inheriting: auth, values, keepsBodies: keeps(item) ?? keepsBodies)
                let method = request["method"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "GET"
                add(statement.stated(method: method), at: item["name"]?.place ?? item.place)
            }
        }
    }

    /// The variables of Postman with their values; without those that have none.
    private static func values(_ variables: [JSONValue]) -> [String: String] {
        var values: [String: String] = [:]
        for variable in variables where variable["disabled"]?.bool != true && variable["enabled"]?.bool != false {
            guard let key = variable["key"]?.string ?? variable["id"]?.string, let text = variable["value"]?.scalarText
            else { continue }
            values[key] = text.isEmpty ? nil : text
        }
        return values
    }
}

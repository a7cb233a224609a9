import ReqcliText

/// The files of collections of Postman in the format v3, which newer versions of Postman keep in git as a folder of YAML files.
///
/// A file `Name.request.yaml` is a request. `.resources/definition.yaml` has the settings of a folder or a collection, and
/// `.resources/Name.resources/examples` the saved responses of the request `Name`.
struct PostmanFolder {
    private let root = Node("")
    private(set) var environments: [(name: String, variables: [CollectionVariable])] = []
    /// The global variables of the workspace. All other variables override them.
    private(set) var globals: [CollectionVariable] = []
    /// The files that don't belong to the format.
    private(set) var others: [SourceFile] = []

    /// A folder with its requests.
    final class Node {
        let name: String
        fileprivate(set) var definition: JSONValue?
        fileprivate(set) var requests: [(stem: String, value: JSONValue)] = []
        /// The saved responses, by the stem of the request's file.
        fileprivate(set) var examples: [String: [(stem: String, value: JSONValue)]] = [:]
        fileprivate(set) var folders: [String: Node] = [:]

        init(_ name: String) { self.name = name }

        fileprivate var collections: [Node] {
            if definition != nil || !requests.isEmpty { return [self] }
            let inner = folders.values.sorted { $0.name < $1.name }
            return name == "collections" ? inner : inner.flatMap(\.collections)
        }
    }

    /// The folders that are a collection: the folders in a folder `collections`, or else the outermost folders with a file.
    var collections: [Node] { root.collections }

    init(_ files: [SourceFile]) throws(ImportProblem) {
        var problems: [Diagnostic] = []
        for file in files {
            guard Self.looksLike(file) else {
                others.append(file)
                continue
            }
            do throws(ImportProblem) { add(file, try SourceJSON.rootOfYAML(file)) } catch {
                problems += error.diagnostics
            }
        }
        if !problems.isEmpty { throw ImportProblem(problems) }
    }

    static func looksLike(_ file: SourceFile) -> Bool {
        guard file.name.hasSuffix(".yaml") || file.name.hasSuffix(".yml") else { return false }
        if [".environment", ".globals"].contains(where: SourceFolder.stem(of: file).hasSuffix) { return true }
        return SourceLine.lines(of: file, atMost: 200).contains { line in
            let words = line.text.split(whereSeparator: { ":\"' ".contains($0) })
            guard words.count > 1, words[0] == "$kind" else { return false }
            return words[1] == "collection" || words[1].hasSuffix("-request") || words[1].hasSuffix("-example")
        }
    }

    private mutating func add(_ file: SourceFile, _ value: JSONValue) {
        func stem(without ending: String) -> String {
            let stem = SourceFolder.stem(of: file)
            return stem.hasSuffix(ending) ? String(stem.dropLast(ending.count)) : stem
        }
        let kind = value["$kind"]?.string
        if kind == nil || kind == "environment" {
            let name = stem(without: ".environment")
            let variables = CollectionVariable.list(v3: value["values"])
            if name.hasSuffix(".globals") {
                globals += variables
            } else {
                environments.append((value["name"]?.scalarText ?? name, variables))
            }
            return
        }
        let path = file.name.split(separator: "/").dropLast().filter { $0 != "." }.map(String.init)
        let end = path.firstIndex(of: ".resources") ?? path.count
        var folder = root
        for name in path[..<end] {
            let next = folder.folders[name] ?? Node(name)
            folder.folders[name] = next
            folder = next
        }
        switch kind {
        case "collection"?: folder.definition = value
        case "http-example"?:
            let owner = path.dropFirst(end + 1).first ?? ""
            let request = owner.hasSuffix(".resources") ? String(owner.dropLast(10)) : owner
            folder.examples[request, default: []].append((stem(without: ".example"), value))
        default: folder.requests.append((stem(without: ".request"), value))
        }
    }
}

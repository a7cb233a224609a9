import ReqcliJSONSchema
package import ReqcliText

/// A `$ref` that leads nowhere.
package struct BrokenReference: Sendable {
    package let reference: String
    /// The reason, as a sentence that doesn't name the reference.
    package let reason: String
    package let place: Place
}

/// The files that references lead into, and the targets found so far.
struct ReferenceTable {
    /// A reference as written in a file.
    fileprivate struct Key: Hashable {
        let file: ObjectIdentifier
        let text: String
    }

    private let files: OpenAPIFiles
    /// The root of each file that was read, by the file's path from the folder of the description. For a file that can't be read,
    /// the reason.
    private var roots: [String: Result<JSONValue, OpenAPIFileProblem>] = [:]
    private var paths: [ObjectIdentifier: String] = [:]
    private var targets: [Key: JSONValue] = [:]
    private var broken: Set<Key> = []
    private var pointers = PointerLookup()
    private let main: JSONValue
    private var bytesRead = 0

    /// The number of bytes that all files together may have.
    private static let mostBytes = 256 << 20
    /// The maximum number of references in a chain.
    private static let longestChain = 100

    init(main: JSONValue, files: OpenAPIFiles) {
        self.main = main
        self.files = files
        paths[ObjectIdentifier(main.place.file)] = ""
        bytesRead = main.place.file.bytes.count
    }

    /// The value that a chain of references leads to. A value that isn't a reference is returned unchanged.
    mutating func resolve(_ value: JSONValue, depth: Int = 0, _ report: (BrokenReference) -> Void) -> JSONValue? {
        var value = value
        var steps = 0
        while let reference = value["$ref"], let text = reference.string {
            let key = Key(file: ObjectIdentifier(value.place.file), text: text)
            func fail(_ reason: String) -> JSONValue? {
                // One message for each reference is enough, even if the reference is met many times.
                if broken.insert(key).inserted {
                    report(BrokenReference(reference: text, reason: reason, place: reference.place))
                }
                return nil
            }
            if broken.contains(key) { return nil }
            steps += 1
            if steps > Self.longestChain {
                return fail("more than \(Self.longestChain) references follow each other, or they form a cycle")
            }
            if let known = targets[key] {
                value = known
                continue
            }
            switch find(text, from: value, depth: depth) {
            case .success(let target):
                targets[key] = target
                value = target
            case .failure(let problem): return fail(problem.reason)
            }
        }
        return value
    }

    /// The value of a member of an object. Also fast when many members of the same object are looked up.
    mutating func member(_ name: String, of object: JSONValue) -> JSONValue? {
        object.kind == .object ? pointers.child(name, of: object) : nil
    }

    private mutating func find(_ text: String, from value: JSONValue, depth: Int) -> Result<
        JSONValue, OpenAPIFileProblem
    > {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var root: JSONValue
        let own = paths[ObjectIdentifier(value.place.file)] ?? ""
        let path = parts.first?.percentDecoded ?? ""
        if path.contains("://") { return .failure(OpenAPIFileProblem("a reference to another server is not followed")) }
        let target = path.isEmpty ? own : Self.path(path, beside: own)
        if target.hasPrefix("../") || target.hasPrefix("/") {
            return .failure(OpenAPIFileProblem("a reference leads outside of the description's folder"))
        }
        switch self.root(at: target) {
        case .success(let found): root = found
        case .failure(let problem): return .failure(problem)
        }
        let pointer = parts.count > 1 ? parts[1] : ""
        if pointer.isEmpty { return .success(root) }
        guard pointer.hasPrefix("/") else {
            return .failure(OpenAPIFileProblem("a reference to an anchor is not followed"))
        }
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let token = JSONPointer.unescaped(part.percentDecoded)
            if let next = pointers.child(token, of: root) {
                root = next
                continue
            }
            // An object on the way may itself be a reference to another file, such as `paths` or the object of all schemas.
            guard depth < 8, root["$ref"] != nil, let target = resolve(root, depth: depth + 1, { _ in }),
                let next = pointers.child(token, of: target)
            else { return .failure(OpenAPIFileProblem("the target of a reference does not exist")) }
            root = next
        }
        return .success(root)
    }

    private mutating func root(at path: String) -> Result<JSONValue, OpenAPIFileProblem> {
        if path.isEmpty { return .success(main) }
        if let known = roots[path] { return known }
        let result = read(path)
        roots[path] = result
        return result
    }

    private mutating func read(_ path: String) -> Result<JSONValue, OpenAPIFileProblem> {
        switch files.document(at: path) {
        case .failure(let problem):
            return .failure(OpenAPIFileProblem("the file of a reference can't be read: \(problem.reason)"))
        case .success(let document):
            bytesRead += document.file.bytes.count
            guard bytesRead <= Self.mostBytes else {
                return .failure(OpenAPIFileProblem("together, the files of references are larger than 256 MiB"))
            }
            guard !document.diagnostics.contains(where: { $0.severity == .error }), let root = document.root else {
                return .failure(OpenAPIFileProblem("the file of a reference is neither JSON nor YAML"))
            }
            paths[ObjectIdentifier(document.file)] = path
            return .success(root)
        }
    }

    // MARK: Paths

    /// The path of the file that contains a value; "" for the description itself.
    func path(of value: JSONValue) -> String { paths[ObjectIdentifier(value.place.file)] ?? "" }

    /// The path of a file relative to the folder of the description.
    private static func path(_ path: String, beside file: String) -> String {
        var segments = path.hasPrefix("/") ? [""] : file.split(separator: "/").dropLast().map(String.init)
        for segment in path.split(separator: "/") where segment != "." {
            if segment == "..", let last = segments.last, last != ".." {
                segments.removeLast()
            } else {
                segments.append(String(segment))
            }
        }
        return segments.joined(separator: "/")
    }
}

extension OpenAPIDocument {
    /// The value that a reference leads to, through further references if necessary. A value without `$ref` is returned
    /// unchanged. Nil if a reference leads nowhere.
    package mutating func resolve(_ value: JSONValue) -> JSONValue? {
        guard value.kind == .object else { return value }
        var problems: [BrokenReference] = []
        let target = references.resolve(value) { problems.append($0) }
        brokenReferences += problems
        return target
    }

    package mutating func resolve(_ value: JSONValue?) -> JSONValue? { value.flatMap { resolve($0) } }
}

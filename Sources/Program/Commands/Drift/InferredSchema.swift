import Checking
import CommandLineKit
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText
import Shapes

/// The JSON Schema of stubs, snapshots and files. `schema infer` prints it.
struct InferredSchema {
    let context: Context
    let arguments: ParsedArguments

    /// The schema that all bodies fit.
    ///
    /// - Parameter words: Files, and selectors of endpoints.
    func schema(of words: [String]) throws(Failure) -> OrderedJSON {
        var shape = JSONShape()
        var selectors: [Selector] = []
        for word in words {
            if try isFile(word) { shape.add(try root(of: word)) } else { selectors.append(Selector(word)) }
        }
        if !selectors.isEmpty { try add(selectors, to: &shape) }
        return shape.schema
    }

    private func isFile(_ word: String) throws(Failure) -> Bool {
        if word == "-" { return true }
        return context.files.kind(try context.pathFromHere(word)) == .file
    }

    private func root(of path: String) throws(Failure) -> JSONValue {
        let bytes = try context.read(path, upTo: 1 << 30, called: path)
        let document = JSONDocument.read(SourceFile(name: path, bytes: bytes))
        guard let root = document.validRoot else { throw Failure(.usage, document.diagnostics) }
        return root
    }

    private func add(_ selectors: [Selector], to shape: inout JSONShape) throws(Failure) {
        let workspace = try context.open(arguments)
        let listed = try Selection(selectors).endpoints(of: workspace)
        let errors = listed.diagnostics.filter { $0.severity == .error }
        if !errors.isEmpty { throw Failure(.broken, errors) }
        var count = 0
        for endpoint in listed.value {
            for body in try workspace.stubBodies(of: endpoint) where (200...299).contains(body.status) {
                guard case .json(let root, _) = body.content else { continue }
                do throws(JSONPathLimit) {
                    try ShapeRules(maps: body.rules.maps).add(root, to: &shape)
                } catch {
                    throw Failure(
                        .broken, code: .selectionFailed, "\"drift\" of \(endpoint.id) \(body.variant): \(error.message)"
                    )
                }
                count += 1
            }
        }
        count += try addSnapshots(of: listed.value, workspace, to: &shape)
        guard count > 0 else {
            let names = listed.value.map(\.id).joined(separator: ", ")
            throw Failure(
                .usage, code: .nothingCompared,
                "\(names) has no stub and no snapshot with a JSON body and a status 2xx",
                hint: "keep a response with \"reqcli send ENDPOINT --save-stub NAME\", or name a JSON file")
        }
    }

    /// Adds the bodies of snapshots, which are accepted responses. Returns the number of bodies.
    private func addSnapshots(
        of endpoints: [LocatedEndpoint], _ workspace: Workspace, to shape: inout JSONShape
    ) throws(Failure) -> Int {
        let owned = Set(endpoints.flatMap(\.snapshotNames))
        var count = 0
        for name in workspace.snapshotNames where owned.contains(name.ofCase) {
            let loaded = workspace.load(snapshot: name)
            if loaded.diagnostics.contains(where: { $0.severity == .error }) {
                throw Failure(.broken, loaded.diagnostics)
            }
            guard let snapshot = loaded.value, let body = snapshot.body, (200...299).contains(snapshot.status ?? 0),
                SnapshotMark(body) == nil
            else { continue }
            // Other responses may lack members that the snapshot marks as ignored. Members with other marks must exist in other
            // responses, too.
            let marks = body.descendants.compactMap { value in SnapshotMark(value).map { (mark: $0, value: value) } }
            shape.add(
                body, ignoring: marks.filter { $0.mark == .ignored }.map(\.value),
                unknown: marks.filter { $0.mark == .match }.map(\.value))
            count += 1
        }
        return count
    }
}

import ReqcliBasics
import ReqcliJSONSchema
import ReqcliText

/// The files of a description. Each file is read and parsed only once.
final class OpenAPIFiles: Sendable {
    private let load: OpenAPIDocument.Load
    /// The documents by their paths from the folder of the description.
    private let documents: Mutex<[String: Result<JSONDocument, OpenAPIFileProblem>]>
    /// The name of the description's own file.
    let mainName: String

    init(main: JSONDocument, load: @escaping OpenAPIDocument.Load) {
        mainName = main.file.name.split(separator: "/").last.map(String.init) ?? "openapi"
        documents = Mutex([mainName: .success(main)])
        self.load = load
    }

    func document(at path: String) -> Result<JSONDocument, OpenAPIFileProblem> {
        documents.withLock { documents in
            if let known = documents[path] { return known }
            let document = load(path).map { OpenAPIText.read($0) }
            documents[path] = document
            return document
        }
    }

    /// The files as a folder in which references between schemas are looked up.
    var folder: SchemaFolder {
        SchemaFolder(uri: "file:///", named: "the description's folder") { path throws(SchemaFolder.Problem) in
            switch self.document(at: path) {
            case .success(let document): return document
            case .failure(let problem): throw SchemaFolder.Problem(problem.reason)
            }
        }
    }
}

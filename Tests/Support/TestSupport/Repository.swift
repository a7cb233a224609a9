import Foundation
import ReqcliDefinitions

/// This repository, whose own workspace serves as an example.
package enum Repository {
    package static let root = (0..<4).reduce(#filePath) { path, _ in FilePath.parent(path) }

    /// The path of a file or folder of test data that is kept outside the repository: in the folder that `REQCLI_CORPORA` names,
    /// or in `../shared/corpora` next to the repository.
    package static func corpus(_ name: String) -> String {
        let folder = ProcessInfo.processInfo.environment["REQCLI_CORPORA"] ?? FilePath.parent(root) + "/shared/corpora"
        return "\(folder)/\(name)"
    }

    /// The definitions in the repository's workspace, by path.
    package static func files() throws -> [String: String] {
        var result: [String: String] = [:]
        for folder in ["endpoints", "environments"] {
            for name in try FileSystem.live.names("\(root)/\(folder)") {
                let path = "\(folder)/\(name)"
                result[path] = String(decoding: try FileSystem.live.read("\(root)/\(path)", 1 << 20), as: UTF8.self)
            }
        }
        return result
    }
}

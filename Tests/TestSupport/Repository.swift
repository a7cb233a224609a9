import Definitions

/// This repository, whose own workspace serves as an example.
package enum Repository {
    package static let root = FilePath.parent(FilePath.parent(FilePath.parent(#filePath)))

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

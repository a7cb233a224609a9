import ReqcliDefinitions
import TestSupport
import Testing

/// The table of `docs/reference/merging.md`, read from the page itself.
enum MergeTable {
    /// `setting / what is written`, for each cell that says anything.
    static func cells() throws -> [String] {
        let page = String(
            decoding: try FileSystem.live.read("\(Repository.root)/docs/reference/merging.md", 1 << 20), as: UTF8.self)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmed }
        }
        let columns = try #require(rows.first).dropFirst()
        return rows.dropFirst(2).flatMap { row in
            zip(columns, row.dropFirst()).filter { $0.1 != "–" }.map { "\(row[0]) / \($0.0)" }
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).replacing("`", with: "")
    }
}

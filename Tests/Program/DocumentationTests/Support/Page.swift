import Foundation
import TestSupport

/// A Markdown page of this repository, as far as the tests have to understand it.
///
/// What a page says to the tests stands in comments, which no reader sees, or in words that readers want anyway:
///
/// - `<!-- in an empty folder -->` and `<!-- in this repository -->` say where the commands that follow are run.
/// - `<!-- not run: REASON -->` above a block says that its commands are not run.
/// - A line above a block that ends with a name in backquotes and a colon makes a file of the block.
struct Page: Sendable {
    /// From the root of the repository.
    let path: String
    let lines: [String]
    let blocks: [Block]

    /// A fenced block.
    struct Block: Sendable {
        /// What stands behind the fence: the language, then what else is known about the block.
        let words: [String]
        /// The lines between the fences.
        let range: Range<Int>
        let place: Place?
        /// Why its commands are not run.
        let reasonNotToRun: String?
        /// The file that the line above names.
        let file: String?
        /// Where the line above leads to.
        let target: String?

        var language: String { words.first ?? "text" }
        /// The line of the opening fence, from 1.
        var number: Int { range.lowerBound }
    }

    /// Where commands are run. The blocks that follow one marker share one folder and one shell.
    struct Place: Equatable, Sendable {
        enum Kind: String, CaseIterable, Sendable {
            case emptyFolder = "<!-- in an empty folder -->"
            case repository = "<!-- in this repository -->"
        }

        let kind: Kind
        /// The line of the marker.
        let line: Int
    }

    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init(path: String, text: String) throws {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var blocks: [Block] = []
        var place: Place?
        var opening: Int?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let start = opening {
                    guard line == "```" else {
                        throw Mistake(description: "\(path):\(index + 1): a fence inside a block")
                    }
                    blocks.append(Self.block(lines, start..<index, place: place))
                    opening = nil
                } else {
                    opening = index
                }
            } else if opening == nil {
                if line.contains("```") || line.hasPrefix("~~~") || line.hasPrefix("    ") {
                    throw Mistake(description: "\(path):\(index + 1): a block begins with ``` at the start of a line")
                }
                if let kind = Place.Kind(rawValue: line) { place = Place(kind: kind, line: index + 1) }
            }
        }
        if let opening { throw Mistake(description: "\(path):\(opening + 1): this block never ends") }
        self.blocks = blocks
    }

    private static func block(_ lines: [String], _ fences: Range<Int>, place: Place?) -> Block {
        let above = lines[..<fences.lowerBound].reversed().first { !$0.isEmpty } ?? ""
        let reason = above.wholeMatch(of: /<!-- not run: (.+) -->/).map { String($0.1) }
        let link = above.firstMatch(of: /\[`([^`]+)`\]\(([^)]+)\):$/)
        let name = above.firstMatch(of: /`([^` ]+)`:$/).map { String($0.1) }
        return Block(
            words: lines[fences.lowerBound].dropFirst(3).split(separator: " ").map(String.init),
            range: fences.lowerBound + 1..<fences.upperBound, place: place, reasonNotToRun: reason, file: name,
            target: link.map { String($0.2) })
    }

    func text(of block: Block) -> String { lines[block.range].map { $0 + "\n" }.joined() }

    /// The lines outside of blocks, with their numbers from 1.
    var prose: [(number: Int, text: String)] {
        let inside = blocks.map { $0.range.lowerBound - 1...$0.range.upperBound }
        return lines.enumerated().filter { line in !inside.contains { $0.contains(line.offset) } }
            .map { ($0.offset + 1, $0.element) }
    }
}

extension Page {
    /// The root of the repository.
    static let root = Repository.root

    /// The README, and every page of the documentation.
    static let names: [String] = {
        let docs = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/docs")) ?? []
        return ["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    /// The changelog, the page on security, and the pages for those who change the program.
    static let namesForMaintainers: [String] = {
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: root + "/contributing")) ?? []
        return ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
            + pages.filter { $0.hasSuffix(".md") }.sorted().map { "contributing/" + $0 }
    }()

    init(named name: String) throws {
        try self.init(path: name, text: String(contentsOfFile: Self.root + "/" + name, encoding: .utf8))
    }
}

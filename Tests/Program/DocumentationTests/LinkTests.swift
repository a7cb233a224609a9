import Foundation
import Testing

/// The documentation has no broken links.
@Suite struct LinkTests {
    @Test(
        "Every link inside the repository points to an existing file, and to an existing heading",
        arguments: Page.names + Page.namesForMaintainers)
    func links(_ name: String) throws {
        let page = try Page(named: name)
        let folder = URL(fileURLWithPath: Page.root + "/" + name).deletingLastPathComponent()
        for line in page.prose {
            let plain = line.text.replacing(/`[^`]*`/, with: "code")
            let targets =
                plain.matches(of: /\]\(([^)\s]+)\)/).map(\.1)
                + plain.matches(of: /(?:src|srcset|href)="([^"]+)"/).map(\.1)
            for target in targets where !target.hasPrefix("https://") {
                let place = Comment(rawValue: "\(name):\(line.number): \(target)")
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let file =
                    parts[0].isEmpty ? Page.root + "/" + name : folder.appendingPathComponent(String(parts[0])).path
                #expect(FileManager.default.fileExists(atPath: file), place)
                guard parts.count == 2, file.hasSuffix(".md") else { continue }
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(try Page(path: name, text: text).anchors.contains(String(parts[1])), place)
            }
        }
    }

    @Test("The index links to every page")
    func index() throws {
        let index = try Page(named: "docs/README.md").lines.joined(separator: "\n")
        for name in Page.names where name != "README.md" && name != "docs/README.md" {
            #expect(index.contains("](\(name.dropFirst("docs/".count)))"), Comment(rawValue: name))
        }
        #expect(try Page(named: "README.md").lines.joined().contains("](docs/README.md)"))
    }
}

extension Page {
    /// The anchors that GitHub makes from the page's headings.
    fileprivate var anchors: [String] {
        var seen: [String: Int] = [:]
        return prose.compactMap { line in
            guard let heading = line.text.wholeMatch(of: /#{1,6} (.+)/)?.1 else { return nil }
            let text = heading.replacing(/\]\([^)]*\)/, with: "").lowercased()
                .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
            let count = seen[text, default: 0]
            seen[text] = count + 1
            return count == 0 ? text : "\(text)-\(count)"
        }
    }
}

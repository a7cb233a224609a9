import Foundation
import Testing

/// `contributing/walk.md` names the shapes that a request and its response have on their way. Fewer shapes are easier to follow, so their
/// number is bounded.
@Suite struct ShapeTests {
    /// A row of the table of shapes: the type, and the file that declares it.
    private struct Shape {
        let type: String
        let file: String
    }

    private static func shapes(below title: String) throws -> [Shape] {
        try Page(named: "contributing/walk.md").lines.drop { !$0.hasPrefix("| \(title) | file |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
            .compactMap { line in
                line.firstMatch(of: /^\| `([A-Za-z]+)` \| `([^`]+)` \|/).map { Shape(type: "\($0.1)", file: "\($0.2)") }
            }
    }

    @Test("Each shape is a type that the named file declares", arguments: ["request", "response"])
    func declared(_ title: String) throws {
        for shape in try Self.shapes(below: title) {
            let text = try String(contentsOfFile: "\(Page.root)/Sources/\(shape.file)", encoding: .utf8)
            let declaration = try Regex(#"(?m)^.*\b(struct|class|enum|protocol|actor) \#(shape.type)\b"#)
            #expect(text.contains(declaration), "\(shape.type) in \(shape.file)")
        }
    }

    @Test("A request has at most nine shapes, a response four")
    func count() throws {
        #expect((1...9).contains(try Self.shapes(below: "request").count))
        #expect((1...4).contains(try Self.shapes(below: "response").count))
    }
}

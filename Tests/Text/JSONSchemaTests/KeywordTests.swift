import ReqcliText
import Testing

@testable import ReqcliJSONSchema

struct KeywordTests {
    /// In draft-04, `$ref` is not in the metaschema. The metaschema of 2020-12 still has two keywords of 2019-09.
    private static let exceptions: Set<String> = ["$ref", "$recursiveAnchor", "$recursiveRef"]

    @Test("The table of keywords and the metaschema of a draft have the same keywords", arguments: Draft.allCases)
    func metaSchema(draft: Draft) throws {
        let root = try #require(MetaSchemas.file(with: draft.uri).flatMap { JSONDocument.read($0).root })
        let parts = [root] + (root["$defs"].map { $0.members.map(\.value) } ?? [])
        let checked = Set(parts.flatMap { $0["properties"].map { $0.members.map(\.name) } ?? [] })
        let known = Set(try #require(Dialect.all[draft]).keywords.keys)
        #expect(known.symmetricDifference(checked).subtracting(Self.exceptions).sorted() == [])
    }

    @Test("A keyword with a value of a wrong kind is reported, and not ignored", arguments: Draft.allCases)
    func wrongValue(draft: Draft) throws {
        let keywords = try #require(Dialect.all[draft]).keywords
        for (name, entry) in keywords where entry.asserts && !["const", "$ref"].contains(name) {
            var compiler = SchemaCompiler(defaultDraft: draft)
            #expect(!compiler.compile(try value(#"{"\#(name)": null}"#)).problems.isEmpty, "\(name)")
        }
    }
}

import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension ExportFormat {
    /// A Postman collection 2.1 with a file for each environment.
    static let postman = ExportFormat(
        name: "postman", summary: "a Postman collection 2.1, and a file for each environment", mode: .open,
        abilities: { _ in
            ToolAbilities(
                features: [
                    .aws, .oauthClient, .redirects, .needs, .captures, .headers, .maxTime, .body, .json, .types,
                ],
                operations: .common.union([.length, .in, .empty]),
                captures: [.member, .header, .match, .cookie, .body, .status])
        }
    ) { requests, notes in
        var writer = PostmanWriter(requests)
        let collection = writer.collection()
        notes += writer.notes
        return [ExportedFile("collection.json", collection.pretty + "\n")]
            + writer.environments().map { ExportedFile("\($0.name).postman_environment.json", $0.file.pretty + "\n") }
    }
}

extension TemplateDialect {
    static let postman = TemplateDialect(
        generated: GeneratedNames.postman.name(of:), literal: { text, _ in text }, escapesBraces: false,
        holds: { !$0.isEmpty && !$0.contains("{{") }, impliesContentType: true)
}

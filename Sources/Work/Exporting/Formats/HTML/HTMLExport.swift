import ReqcliDefinitions

extension ExportFormat {
    /// Pages about the endpoints, the environments, the scenarios and the schemas, which a browser shows from a disk or a server.
    static let html = ExportFormat(
        name: "html", summary: "documentation of the API: a folder of pages for a browser"
    ) { source, notes in
        var site = HTMLSite(source, &notes)
        return site.files()
    }
}

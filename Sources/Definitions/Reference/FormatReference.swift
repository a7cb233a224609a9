/// The reference of the file format in Markdown, written from the tables that decode the files.
package enum FormatReference {
    package static var markdown: String {
        let roots = FormatSchema.allCases.map { kind in (kind, kind.roots) }
        var page = ReferencePage(shared: RequestLayer.fields.map(\.schema))
        page.add(introduction)
        for (kind, objects) in roots {
            page.add("## \(kind.heading)\n\n\(kind.introduction)")
            for object in objects { page.take(object) }
        }
        page.addShared(
            heading: sharedHeading,
            introduction: """
                An environment, the `defaults` of a group, an endpoint, and what an endpoint says for one environment may \
                all hold these. A later layer wins; `null` takes back what an earlier one said.
                """)
        return page.text
    }

    static let sharedHeading = "Keys of every layer"

    private static let introduction = """
        # The format of the files

        <!-- Written from the tables in Sources/Definitions: run the tests with REQCLI_RECORD=1 to write it anew. -->

        Every key that a file may hold. How values come about and how layers merge is told in [values.md](values.md); \
        the same as JSON Schema, for editors, is printed by `reqcli schema endpoint` and `reqcli schema environment`.

        - `.json` files are strict JSON (RFC 8259) in UTF-8; `.jsonc` files may hold comments and trailing commas.
        - A file is at most 16 MiB large and 512 levels deep.
        - Folders nest at most \(Limits.folders) deep below `endpoints/`.
        - Values grow no further than this: \(Limits.variable >> 20) MiB for a variable with its placeholders filled in, \
        \(Limits.request >> 20) MiB for all values of a request. At most \(Limits.chain) variables stand for each other in \
        a row, and at most \(Limits.chain) endpoints need each other in a row, by which at most \
        10,000 requests come to be sent before one other. An environment builds on at most \
        \(Limits.bases) others, directly or not. A stub's sequence has at most 10,000 steps, with \
        those of the sequences in it.
        - A key that isn't listed here is an error, and so is one that is given twice.
        - `$schema`, `$comment` and keys that begin with `x-` may stand in every object and mean nothing. Where the keys \
        are names of your own (`headers`, `params`, `variables`, …) only the first two are set aside: `x-trace` is a \
        header there.
        - Names of endpoints, environments, params, variables, secrets, captures and variants are made of letters, \
        digits, `_` and `-`.
        """
}

extension FormatSchema {
    fileprivate var heading: String {
        switch self {
        case .endpoint: "Endpoint files"
        case .environment: "Environment files"
        case .settings: "Settings"
        }
    }

    fileprivate var introduction: String {
        switch self {
        case .endpoint:
            """
            Below `endpoints/`, in folders as you like. A file with the key `endpoints` is a group; any other is a \
            single endpoint. The id of an endpoint is the file's path with dots, and in a group its name: \
            `endpoints/billing/invoice.json` holds `billing.invoice.list`.
            """
        case .environment: "In `environments/`. The name of the file is the name of the environment."
        case .settings: "In `reqcli.json`, beside `endpoints/`. The file may be absent."
        }
    }
}

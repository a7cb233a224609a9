import ReqcliText

@testable import ReqcliDefinitions

/// The reference of the file format in Markdown, written from the tables that decode the files.
enum FormatReference {
    static var markdown: String {
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
                Environments, the `defaults` of a group, endpoints, and an endpoint's settings for an environment \
                accept these keys. A later layer wins; `null` removes the value of an earlier one.
                """)
        return page.text
    }

    static let sharedHeading = "Keys of every layer"

    private static let introduction = """
        # The format of the files

        <!-- Written from the tables in Sources/Workspace/Definitions. Run the tests with REQCLI_RECORD=1 to update it. -->

        This page lists all keys of the files. [values.md](values.md) explains how values are computed, \
        [merging.md](merging.md) how layers merge. \
        `reqcli schema endpoint` and `reqcli schema environment` print the format as JSON Schema for editors.

        - `.json` files are strict JSON (RFC 8259) in UTF-8. `.jsonc` files may also have comments and trailing commas.
        - A key that isn't listed here is an error. A key that is given twice is an error.
        - `$schema`, `$comment` and keys that begin with `x-` are allowed in every object and ignored. In objects whose \
        keys you choose (`headers`, `params`, `variables`, …) only `$schema` and `$comment` are ignored: `x-trace` in \
        `headers` is a header.
        - Names of endpoints, environments, params, variables, secrets, captures and variants consist of letters, \
        digits, `_` and `-`.

        | limit | at most |
        |---|---|
        | size of a file | 16 MiB |
        | nesting in a file | 512 levels |
        | nested folders below `endpoints/` | \(Limits.folders) |
        | value of a variable, with its placeholders filled in | \(Limits.variable >> 20) MiB |
        | all values of a request | \(Limits.request >> 20) MiB |
        | variables in a chain of references | \(Limits.chain) |
        | endpoints in a chain of needs | \(Limits.chain) |
        | requests that a request needs, directly or not | 10,000 |
        | environments that an environment extends, directly or not | \(Limits.bases) |
        | elements of a list that a scenario's step loops over | 1,000 |
        | steps of a stub's sequence, counting the sequences in it | 10,000 |
        """
}

extension FormatSchema {
    fileprivate var heading: String {
        switch self {
        case .endpoint: "Endpoint files"
        case .environment: "Environment files"
        case .scenario: "Scenario files"
        case .load: "Load files"
        case .settings: "Settings"
        }
    }

    fileprivate var introduction: String {
        switch self {
        case .endpoint:
            """
            Files below `endpoints/`, in any folders. A file with the key `endpoints` is a group; any other file is a \
            single endpoint. The id of an endpoint is the file's path with dots and, in a group, the endpoint's \
            name: `list` in `endpoints/billing/invoice.json` is `billing.invoice.list`.
            """
        case .environment: "Files in `environments/`. The name of the file is the name of the environment."
        case .scenario:
            """
            Files below `scenarios/`, in any folders, next to `endpoints/`. The id of a scenario is `scenario:` and the \
            file's path with dots: `scenarios/shop/checkout.json` is `scenario:shop.checkout`.
            """
        case .load:
            """
            Files below `loads/`, in any folders. The id of a load is `load:` and the file's path with dots: \
            `loads/shop/afternoon.json` is `load:shop.afternoon`. [`load`](load.md) says what a load does.
            """
        case .settings: "`reqcli.json`, next to `endpoints/`. The file may be missing."
        }
    }
}

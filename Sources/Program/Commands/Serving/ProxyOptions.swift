import CommandLineKit

/// The options of `serve` for passing requests on to another server.
enum ProxyOptions {
    static let proxyTo = Option<String?>(
        "proxy-to", .text("ENV", completing: .environment),
        "Pass requests on to this environment's server, unless a variant was chosen for them")
    static let onlyMissing = Flag("only-missing", "Pass on only the requests that have no variant")
    static let record = Option(
        bare: "record", .variantName,
        "Keep the responses as stub variants; NAME is the name of the first variant (default: recorded)",
        repetition: .once)
    static let force = Flag("force", "Let --record replace what it has recorded for the same params")
    static let yes = Flag(
        "yes", short: "y", "Also pass on requests that need the policy's confirmation or come from other machines")

    static let group = OptionGroup("Another server", proxyTo, onlyMissing, record, force, yes)
        .ruled(by: [.needs(onlyMissing, proxyTo), .needs(record, proxyTo), .needs(yes, proxyTo), .needs(force, record)])
}

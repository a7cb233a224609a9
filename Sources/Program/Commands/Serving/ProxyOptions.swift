import CommandLineKit

/// The options of `serve` for passing requests on to another server.
enum ProxyOptions {
    static let proxyTo = Option<String?>(
        "proxy-to", .text("ENV", completing: .environment),
        "Pass requests on to this environment's server, unless a variant was chosen for them")
    static let onlyMissing = Flag("only-missing", "Pass on only requests for which there is no variant")
    static let record = Option(
        bare: "record", .variantName,
        "Record the responses as stub variants; NAME is the name of the first variant (default: recorded)",
        repetition: .once)
    static let force = Flag("force", "Let --record replace earlier recordings for the same params")
    static let yes = Flag(
        "yes", short: "y",
        "Also pass on requests for which the policy requires confirmation, and requests from other machines")

    static let group = OptionGroup("Another server", proxyTo, onlyMissing, record, force, yes)
        .ruled(by: [.needs(onlyMissing, proxyTo), .needs(record, proxyTo), .needs(yes, proxyTo), .needs(force, record)])
}

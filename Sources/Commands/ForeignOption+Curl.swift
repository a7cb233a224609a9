import CommandLineKit

extension ForeignOption {
    /// Options of curl that reqcli spells differently.
    static let ofCurl: [ForeignOption] = [
        curl("-X", "--request", advice: "write the method before the URL or the path: \"send PUT URL\""),
        curl("-d", "--data", option: RequestOptions.body.spec, advice: "write --body TEXT or --body @FILE"),
        curl("--data-raw", "--data-ascii", option: RequestOptions.body.spec, advice: "write --body TEXT"),
        curl("--data-binary", "-T", option: RequestOptions.body.spec, advice: "write --body @FILE"),
        curl("-F", option: RequestOptions.form.spec, advice: "write --form NAME=TEXT NAME@FILE behind a URL or a path"),
        curl("-L", "--location", option: SendOptions.follow.spec, advice: "write --follow"),
        curl("-k", option: SendOptions.insecure.spec, advice: "write --insecure"),
        curl(
            "-u", "--user", option: ConnectionOptions.netrc.spec,
            advice: "set \"auth\" in the file of the environment or the endpoint, or use --netrc"),
        curl("-n", option: ConnectionOptions.netrc.spec, advice: "write --netrc"),
        curl("-A", "--user-agent", option: RequestOptions.header.spec, advice: "write -H 'User-Agent: NAME'"),
        curl("-b", "-c", option: ConnectionOptions.cookieJar.spec, advice: "write --cookie-jar FILE"),
        curl("-m", "--max-time", option: RequestOptions.timeout.spec, advice: "write --timeout DURATION"),
        curl("-O", "--remote-name", option: SendOptions.download.spec, advice: "write --download"),
        curl("--cacert", option: SendOptions.ca.spec, advice: "write --ca FILE"),
        curl("-x", "--proxy", advice: "set the variable https_proxy or http_proxy"),
    ]

    private static func curl(_ spellings: String..., option: OptionSpec? = nil, advice: String) -> ForeignOption {
        ForeignOption(of: "curl", spellings, option: option?.name, advice: advice)
    }
}

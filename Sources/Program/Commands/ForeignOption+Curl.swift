import CommandLineKit

extension ForeignOption {
    /// Options of other clients that reqcli spells differently.
    static let known = ofCurl + ofHTTPie

    private static let ofHTTPie: [ForeignOption] = [
        httpie(
            "--auth-type", option: RequestOptions.bearer.spec.name,
            advice: "write --bearer TOKEN, or --auth USER:PASSWORD with or without --digest"),
        httpie(
            "--session", "--session-read-only", option: ConnectionOptions.cookieJar.spec.name,
            advice: "write --cookie-jar FILE"),
        httpie(
            "--print", option: SendOptions.include.spec.name,
            advice: "write --headers, --content, --include, or --verbose for the request"),
        httpie("--verify", option: "insecure", advice: "write --insecure (-k), or --ca FILE"),
        httpie("--check-status", "--ignore-stdin", advice: "leave it out"),
    ]

    private static func httpie(_ spellings: String..., option: String? = nil, advice: String) -> ForeignOption {
        ForeignOption(of: "HTTPie", spellings, option: option, advice: advice)
    }

    /// Options of curl.
    private static let ofCurl: [ForeignOption] = [
        curl("-X", "--request", advice: "write the method before the URL or the path: \"send PUT URL\""),
        curl("-d", "--data", option: RequestOptions.body.spec.name, advice: "write --body TEXT or --body @FILE"),
        curl("--data-raw", "--data-ascii", option: RequestOptions.body.spec.name, advice: "write --body TEXT"),
        curl("--data-binary", option: RequestOptions.body.spec.name, advice: "write --body @FILE"),
        curl(
            "-T", "--upload-file", option: RequestOptions.body.spec.name,
            advice: "write --body @FILE, and PUT before the URL or the path"),
        curl(
            "--data-urlencode", "--form-string", option: RequestOptions.form.spec.name,
            advice: "write --form NAME=TEXT after a URL or a path"),
        curl(
            "-F", option: RequestOptions.form.spec.name,
            advice: "write NAME=TEXT NAME@FILE after a URL or a path, and --form"),
        curl(
            "-G", "--get", "--url-query", option: RequestOptions.form.spec.name,
            advice: "write the items as NAME==VALUE"),
        curl("-I", "--head", advice: "write the method before the URL or the path: \"send HEAD URL\""),
        curl("--url", advice: "write the URL alone"),
        curl("--location", option: "follow", advice: "write --follow"),
        curl(
            "--location-trusted", option: "follow",
            advice: "write --follow, and \"credentials\": \"anyHost\" into the \"redirects\" of a file"),
        curl("--max-redirs", option: "max-redirects", advice: "write --max-redirects N"),
        curl("--connect-timeout", advice: "write \"connect\" into the \"timeout\" of a file"),
        curl("--basic", "--anyauth", option: RequestOptions.account.spec.name, advice: "write --auth USER:PASSWORD"),
        curl("--oauth2-bearer", option: RequestOptions.bearer.spec.name, advice: "write --bearer TOKEN"),
        curl("-n", option: ConnectionOptions.netrc.spec.name, advice: "write --netrc"),
        curl("--user-agent", option: RequestOptions.header.spec.name, advice: "write -H 'User-Agent: NAME'"),
        curl(
            "-A", option: RequestOptions.header.spec.name,
            advice: "write -H 'User-Agent: NAME'; for HTTPie's write --bearer TOKEN"),
        curl("--referer", option: RequestOptions.header.spec.name, advice: "write -H 'Referer: URL'"),
        curl("-r", "--range", option: RequestOptions.header.spec.name, advice: "write -H 'Range: bytes=0-99'"),
        curl(
            "-b", "--cookie", option: ConnectionOptions.cookieFile.spec.name,
            advice: "write --cookie-file FILE, or -H 'Cookie: NAME=VALUE'"),
        curl("-c", option: ConnectionOptions.cookieJar.spec.name, advice: "write --cookie-jar FILE"),
        curl("-m", "--max-time", option: RequestOptions.timeout.spec.name, advice: "write --timeout DURATION"),
        curl("--remote-name", option: SendOptions.download.spec.name, advice: "write --download"),
        curl("--fail", "--fail-with-body", advice: "leave it out: after an error status the exit code is 4 or 5"),
        curl(
            "-f", advice: "leave it out: after an error status the exit code is 4 or 5; for HTTPie's write --form"),
        curl("--compressed", advice: "leave it out: reqcli asks for compressed responses and decodes them"),
        curl(
            "-z", "--time-cond", "--etag-save", "--etag-compare", option: SendOptions.ifChanged.spec.name,
            advice: "write --if-changed FILE"),
        curl("-S", "--show-error", "--silent", "-N", "--no-buffer", advice: "leave it out"),
        curl("-E", option: "cert", advice: "write --cert FILE"),
        curl("--cacert", option: "ca", advice: "write --ca FILE"),
        curl(
            "-U", "--proxy-user", "--proxy-basic", option: "proxy",
            advice: "write \"user\" and \"password\" into the \"proxy\" of a file"),
        curl(
            "--socks5", "--socks5-hostname", "--socks4", "--socks4a", "--preproxy",
            option: "proxy",
            advice: "write --proxy socks5h://HOST:PORT"),
    ]

    private static func curl(_ spellings: String..., option: String? = nil, advice: String) -> ForeignOption {
        ForeignOption(of: "curl", spellings, option: option, advice: advice)
    }
}

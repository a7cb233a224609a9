import CommandLineKit

extension EnvironmentVariable {
    /// Every variable of the process that the program reads, for the manual page. Those that a workspace names, for secrets
    /// and in {{$env.NAME}}, are its own.
    static let all: [EnvironmentVariable] = [
        EnvironmentVariable("REQCLI_WORKSPACE", "The workspace, where --workspace doesn't name one."),
        EnvironmentVariable("REQCLI_ENV", "The environment, where --env doesn't name one."),
        EnvironmentVariable(
            "REQCLI_TRUST", "1: agree to the programs and outside files that a workspace asks for, as --trust does."),
        EnvironmentVariable("REQCLI_LOADER", "What carries the bytes, where --loader doesn't say: curl or foundation."),
        EnvironmentVariable("http_proxy", "The proxy for http. HTTP_PROXY is not read."),
        EnvironmentVariable("https_proxy", or: "HTTPS_PROXY", "The proxy for https."),
        EnvironmentVariable("all_proxy", or: "ALL_PROXY", "The proxy for a scheme that has none of its own."),
        EnvironmentVariable("no_proxy", or: "NO_PROXY", "Hosts that are reached without a proxy; * for all."),
        EnvironmentVariable("NO_COLOR", "No colour, if set to anything. --color beats it."),
        EnvironmentVariable("FORCE_COLOR", "Colour even where there is no terminal; 0 for none. --color beats it."),
        EnvironmentVariable("TERM", "dumb: no colour and no progress."),
        EnvironmentVariable("COLUMNS", "How wide to write; otherwise as wide as the terminal."),
        EnvironmentVariable("HOME", "Where ~/ in a path leads, where .netrc is, and where agreements are kept."),
        EnvironmentVariable(
            "XDG_STATE_HOME", "Where agreements are kept, in reqcli/trusted; otherwise below ~/.local/state."),
        EnvironmentVariable("SUDO_UID", "Under sudo: the user whose workspaces root takes as well."),
        EnvironmentVariable("TMPDIR", "Where a large body from standard input is kept; otherwise /var/tmp."),
        EnvironmentVariable("PATH", "Where the programs are that a workspace names for its secrets."),
    ]
}

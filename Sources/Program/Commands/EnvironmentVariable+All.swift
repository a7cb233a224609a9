import Checking
import CommandLineKit

extension EnvironmentVariable {
    /// Every environment variable that the program reads, for the manual page. Variables that only a workspace names, for its
    /// secrets or as `{{$env.NAME}}`, are not listed.
    static let all: [EnvironmentVariable] = [
        EnvironmentVariable("REQCLI_WORKSPACE", "The workspace, if --workspace is not given."),
        EnvironmentVariable("REQCLI_ENV", "The environment, if --env is not given."),
        EnvironmentVariable(
            "REQCLI_TRUST", "1: trust the workspace, as --trust does."),
        EnvironmentVariable("REQCLI_SEED", "The seed of random values, if --seed is not given."),
        EnvironmentVariable(
            History.variable,
            "1: keep all calls of send, with their responses, in the history. 0: keep no calls, whatever reqcli.json says."
        ),
        EnvironmentVariable(
            ["REQCLI_SHARD_INDEX", "REQCLI_SHARD_COUNT"],
            "For check --shard auto: the number of this part, from 0, and the number of parts."),
        EnvironmentVariable(
            [
                "GITLAB_CI", "CI_NODE_INDEX", "CI_NODE_TOTAL", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL",
                "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", "BITBUCKET_PARALLEL_STEP",
                "BITBUCKET_PARALLEL_STEP_COUNT", "SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", "JOB_COMPLETION_INDEX",
                "GITHUB_ACTIONS",
            ], "Set by CI systems and Kubernetes, and read by check --shard auto."),
        EnvironmentVariable(
            RunOrigin.commitVariables + RunOrigin.jobVariables + RunOrigin.gitHubVariables,
            "Set by CI systems: the commit and the page of the job, for reports of check."),
        EnvironmentVariable("REQCLI_TOKEN", "The token of serve's control API; by default a random one."),
        EnvironmentVariable(
            "REQCLI_LIBCURL",
            "The libcurl file to use instead of the system's file or the file next to the program."),
        EnvironmentVariable(
            "CURL_CA_BUNDLE", "A PEM file of certificates to trust, if neither files nor flags name one."),
        EnvironmentVariable("SSL_CERT_FILE", "A PEM file of certificates to trust, unless CURL_CA_BUNDLE is set."),
        EnvironmentVariable("SSL_CERT_DIR", "A folder of certificates to trust, unless CURL_CA_BUNDLE is set."),
        EnvironmentVariable("http_proxy", "The proxy for http. HTTP_PROXY is not read."),
        EnvironmentVariable("https_proxy", or: "HTTPS_PROXY", "The proxy for https."),
        EnvironmentVariable("all_proxy", or: "ALL_PROXY", "The proxy for schemes that have no separate proxy."),
        EnvironmentVariable("no_proxy", or: "NO_PROXY", "Hosts that are reached without a proxy; * for all."),
        EnvironmentVariable("NO_COLOR", "No colour, if set to any value. --color overrides it."),
        EnvironmentVariable("FORCE_COLOR", "Colour even without a terminal; 0 for none. --color overrides it."),
        EnvironmentVariable("TERM", "dumb: no colour and no progress."),
        EnvironmentVariable("COLUMNS", "The width of the output; by default the width of the terminal."),
        EnvironmentVariable("VISUAL", "The editor for edit; it overrides EDITOR."),
        EnvironmentVariable("EDITOR", "The editor for edit; by default vi."),
        EnvironmentVariable("PAGER", "The program for --pager and long help; by default less. Empty or cat: none."),
        EnvironmentVariable(
            "HOME",
            "The home folder: for ~/ in paths, .netrc, the list of trusted workspaces, logins, access tokens and the history."
        ),
        EnvironmentVariable(
            "XDG_CONFIG_HOME",
            "The folder of reqcli/config, by default ~/.config. The lines NAME=value of this file set your defaults for \(Sentence.alternatives(Context.configurable)); the variables themselves and reqcli.json override them."
        ),
        EnvironmentVariable(
            "XDG_STATE_HOME",
            "The folder, by default ~/.local/state, of reqcli/trusted (the list of trusted workspaces), reqcli/environments (the choices of env use), reqcli/logins, reqcli/tokens, reqcli/history and reqcli/edited."
        ),
        EnvironmentVariable(
            "CI",
            "Any value except false and 0: nothing uses or keeps logins, access tokens and history, login is an error, the choice of env use and reqcli/config are ignored, and --watch is an error."
        ),
        EnvironmentVariable("SUDO_UID", "Under sudo: the user whose workspaces root accepts as well."),
        EnvironmentVariable(
            "TMPDIR",
            "The folder for a large body from standard input, the responses of a long check, and files of --watch; by default /var/tmp."
        ),
        EnvironmentVariable("PATH", "The folders of programs that a workspace runs for its secrets."),
    ]
}

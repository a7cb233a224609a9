/// Everyday tasks that the page leaves out, in the form of its table.
enum FurtherTasks {
    static let table = #"""
        | Delete | `reqcli DELETE :8080/users/7` | `curl -X DELETE localhost:8080/users/7` | – |
        | User and password | `reqcli :8080/users --netrc-file login.netrc` | `curl --netrc-file login.netrc localhost:8080/users` | – |
        | Send nested JSON | `reqcli :8080/users user[name]=Ada user[tags][]=x` | `curl --json '{"user":{"name":"Ada","tags":["x"]}}' localhost:8080/users` | – |
        | Send JSON from a pipe | `reqcli POST :8080/users < user.json` | `curl --json @- localhost:8080/users < user.json` | – |
        | Send several | `reqcli :8080/users/[1-3]` | `curl localhost:8080/users/[1-3]` | – |
        | Send a command from a page | `reqcli curl -H 'X-Trace: 1' localhost:8080/users` | the command itself | – |
        | Query GraphQL | `reqcli :8080/graphql query='{ me { name } }'` | `curl --json '{"query":"{ me { name } }"}' localhost:8080/graphql` | – |
        | End a stream after its first event | `reqcli :8080/events --max-events 1` | in a script of one's own | – |
        | See status and headers only | `reqcli :8080/users --headers` | `curl -s -D - -o headers.txt localhost:8080/users` | – |
        | Send it to another server | `reqcli users.get id=7 --env staging` | `curl localhost:8080/users/7` | – |
        | Compare two URLs | `reqcli diff :8080/users localhost:8080/users` | two calls, into `diff` | – |
        | See what was sent before, and send it again | `export REQCLI_HISTORY=1; reqcli users.get id=7 -Q; reqcli history; reqcli send --again` | in the history of the shell, without responses | – |
        | Compare a response with the one before | `export REQCLI_HISTORY=1; reqcli users.get id=7 -Q; reqcli send --again -Q; reqcli diff --last users.get` | two files, into `diff` | – |
        | Log in once for many calls | `reqcli send me --keep 10m && reqcli send me --keep 10m` | the token in a variable of one's own | – |
        | Limit the time, and retry | `reqcli :8080/users --timeout 5s --retry 2` | `curl -m 5 --retry 2 localhost:8080/users` | – |
        """#
}

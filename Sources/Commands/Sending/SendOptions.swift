import Assembly
import CommandLineKit
import Definitions
import JSONPath
import RequestBuilding

/// Options of `send` alone.
enum SendOptions {
    static let include = Flag(
        "include", short: "i", "Print the status line and headers, too, even if the output is no terminal")
    static let verbose = Flag(
        "verbose", short: "v", "Show on stderr what is sent and received, and how long it takes")
    static let headers = Flag("headers", "Print only the status line and headers")
    static let bodyOnly = Flag("body-only", "Print only the body, also on a terminal")
    static let quiet = Flag("quiet", short: "Q", "Print nothing of the response")
    static let output = Option(
        "output", short: "o", .file(), "Write the body to this file, but only if all of it arrives")
    static let download = Flag("download", "Write the body to a file with the name that the server or the URL gives")
    static let select = Option(
        "select", short: "s", .jsonPath,
        "Print each value that this JSONPath (RFC 9535) selects on a line: strings without quotes, others as JSON; exit 1 if "
            + "nothing")
    static let json = SharedOptions.json(
        "Print request, response and timings as one JSON object; with --select, the selected values as one array")
    static let pretty = Flag(
        "pretty", "Indent JSON, even if the output is no terminal; with --select, each selected value")
    static let raw = Flag("raw", "Print the body's bytes unchanged, also on a terminal")

    static let follow = Toggle("follow", "Follow redirects", otherwise: "as in the definitions, else no")
    static let retry = Option(
        "retry", .integer("N", in: 0...20), "Retry up to N times after 429, 502, 503, 504 or no response")
    static let insecure = Flag("insecure", "Accept any certificate")
    static let ca = Option("ca", .file(), "Trust the certificates in this file instead of the system's")
    static let certificate = Option("cert", .file(), "Present this client certificate (PEM)")
    static let key = Option("key", .file(), "The key of the client certificate")
    static let loader = Option(
        "loader", .oneOf(Loader.self), "The library that sends requests", otherwise: "REQCLI_LOADER, else curl")
    static let yes = Flag("yes", short: "y", "Confirm what the environment's policy asks about")

    static let printing = OptionGroup(
        "Output", include, verbose, headers, bodyOnly, quiet, output, download, select, json, pretty, raw, Watching.flag
    )
    static let carrying = OptionGroup(
        "Transfer", StubChoice.option, RecordingOptions.saveStub, RecordingOptions.force, follow, retry, insecure, ca,
        certificate, key, loader, yes)
    /// The options among them that also change a request that isn't sent.
    static let described = OptionGroup("Transfer", follow, retry, insecure, ca, certificate, key)

    /// How it is sent.
    static func overrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        guard parsed.isDefined(follow) else { return [] }
        let changes: [(CommandLineOverride.Change, String)?] = [
            parsed[follow].map { (.setting(.followsRedirects, $0), $0 ? "--follow" : "--no-follow") },
            parsed[retry].map { (.setting(.retryTimes, $0), "--retry \($0)") },
            parsed[insecure] ? (.setting(.isInsecure, true), "--insecure") : nil,
            parsed[ca].map { (.transferFile(.authorities, path: $0), "--ca \($0)") },
            parsed[certificate].map { (.transferFile(.certificate, path: $0), "--cert \($0)") },
            parsed[key].map { (.transferFile(.certificateKey, path: $0), "--key \($0)") },
        ]
        return changes.compactMap(\.self).map { CommandLineOverride($0.0, flag: $0.1) }
    }
}

/// The loader below URLSession.
package enum Loader: String, CaseIterable, Sendable {
    /// Our own, over libcurl.
    case curl
    /// Foundation's built-in one.
    case foundation
}

/// Options of `send` that record a response.
enum RecordingOptions {
    static let saveStub = Option(
        "save-stub", .variantName, "Save the response as this stub variant, with its body below stubs/")
    static let force = Flag("force", "Let --save-stub replace an existing variant and file")

    /// Flags that ask for two different things at once.
    static func refuseContradictions(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.isGiven(saveStub) else {
            guard arguments[force] else { return }
            throw UsageError("--force goes with --save-stub", hint: "add --save-stub NAME", command: "send")
        }
        guard !arguments[StubChoice.option].isEmpty else { return }
        throw UsageError(
            "--save-stub keeps the response of a server, and --stub asks none", hint: "keep one of them",
            command: "send")
    }
}

extension ValueSpec where Value == String {
    fileprivate static let variantName = ValueSpec(
        "NAME", expected: "a name of letters, digits, _ and -", completion: .variant, text: { $0 }
    ) { (name) throws(InvalidValue) in
        guard Name.isValid(name) else { throw InvalidValue() }
        return name
    }
}

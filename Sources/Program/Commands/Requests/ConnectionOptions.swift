import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
@_spi(Generated) import RequestBuilding

/// Options for the user's identity and for reaching the server. Definitions have no such settings.
enum ConnectionOptions {
    static let cookieJar = Option(
        "cookie-jar", .jar,
        "Send the cookies in this file and save new ones to it; the file is created if it is missing")
    static let cookieFile = Option("cookie-file", .plainFile, "Send the cookies in this file, but don't change it")
    static let netrc = Flag("netrc", "Read the user and password for the server's host from ~/.netrc")
    static let netrcFile = Option(
        "netrc-file", .plainFile, "Read the user and password for the server's host from this file")
    static let proxyHeader = Option(
        repeated: "proxy-header", .proxyHeader,
        "Send this header only to the proxy: 'Name: value', or 'Name;' for an empty one")

    private static let transfer = TransferOption.all(TransferRow.connection)

    /// The options for commands that make many calls. Options for cookies are left out, because requests that run at the same
    /// time would get each other's cookies by chance.
    static let manyCalls = OptionGroup(
        "Connection", [netrc.spec, netrcFile.spec] + transfer.map(\.spec) + [proxyHeader.spec]
    ).ruled(by: [.atMostOne(netrc, netrcFile)] + TransferOption.rules(TransferRow.connection))
    static let group = OptionGroup("Connection", [cookieJar.spec, cookieFile.spec] + manyCalls.options)
        .ruled(by: [.atMostOne(cookieJar, cookieFile)] + manyCalls.rules)

    /// The settings that say how a server is reached. They also apply to the requests of needed endpoints.
    static let addressing = TransferRow.connection.map(\.name) + [TransferSetting.proxyHeaders.name]

    /// The changes that say how the server is reached.
    static func overrides(_ parsed: ParsedArguments) -> [CommandLineOverride] {
        var result = TransferOption.overrides(transfer, parsed)
        let headers = parsed[proxyHeader].map { HeaderFields.Field($0.name, $0.value ?? "") }
        if let first = headers.first {
            result.append(
                CommandLineOverride(
                    .setting(.proxyHeaders, HeaderFields(headers)), flag: "--proxy-header '\(first.name): …'"))
        }
        return result
    }
}

extension ValueSpec where Value == HeaderOverride {
    fileprivate static let proxyHeader = ValueSpec(
        "'NAME: VALUE'", expected: "a header as 'Name: value' or 'Name;'", mayHoldSecret: true
    ) { (text) throws(InvalidValue) in
        let header = try HeaderOverride(text)
        guard let value = header.value else { throw InvalidValue() }
        guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
            throw InvalidValue(hint: "the value contains a control character")
        }
        return header
    }
}

extension ValueSpec where Value == String {
    /// A file that is both read and written.
    fileprivate static let jar = file(notStream: "the file is read and written, so it can't be a stream")
}

import Definitions
import Foundation
import RequestBuilding
import SourceText

extension Contributions {
    /// The name of the layer below all others.
    static let builtIn = "built-in"

    /// What holds where nobody says anything.
    mutating func addBuiltIn(version: String) {
        layer = Self.builtIn
        let origin = Origin(layer: layer)
        add([part(.method, "GET")], from: origin) { builder, _ in builder.method(.get) }
        add([part(.header("User-Agent"), "reqcli/\(version)")], from: origin) { builder, _ in
            builder.header("User-Agent", "reqcli/\(version)")
        }
        add([part(.header("Accept"), "*/*")], from: origin) { builder, _ in builder.header("Accept", "*/*") }
        let standard = Timeouts.standard
        add([part(.option(TransferOption.ConnectTimeout.name), standard.connect.map(DurationText.write))], from: origin)
        {
            builder, _ in builder.option(TransferOption.ConnectTimeout.self, standard.connect)
        }
        add([part(.option(TransferOption.IdleTimeout.name), standard.idle.map(DurationText.write))], from: origin) {
            builder, _ in builder.option(TransferOption.IdleTimeout.self, standard.idle)
        }
    }

    mutating func addCommandLine(_ overrides: [CommandLineOverride]) {
        layer = "command line"
        for override in overrides { add(override) }
    }

    private mutating func add(_ override: CommandLineOverride) {
        let origin = Origin(layer: layer, flag: override.flag)
        switch override.change {
        case .header(let name, let values):
            add([part(.header(name), values.joined(separator: ", "))], from: origin) { builder, _ in
                builder.header(name, values: values)
            }
        case .removedHeader(let name):
            add([part(.header(name), nil)], from: origin) { builder, _ in builder.removingHeader(name) }
        case .query(let name, let values):
            add([part(.queryItem(name), values.joined(separator: ", "))], from: origin) { builder, _ in
                builder.queryItem(name, values: values)
            }
        case .body(let text):
            add([part(.body, text)], from: origin) { builder, _ in builder.commandLineBody(Data(text.utf8)) }
        case .bodyFile(let path): addBodyFile(path, from: origin)
        case .baseURL(let text):
            let subjects: [RequestSubject] = [.scheme, .host, .port, .basePath]
            add(subjects.map { part($0, text) }, from: origin) { builder, _ in builder.baseURL(text) }
        case .timeout(let duration): option(TransferOption.TotalTimeout.self, duration, from: origin)
        case .redirects(let follow): option(TransferOption.FollowRedirects.self, follow, from: origin)
        case .insecure: option(TransferOption.Insecure.self, true, from: origin)
        case .ca(let path): option(TransferOption.CertificateAuthorities.self, path, from: origin)
        case .certificate(let path): option(TransferOption.ClientCertificate.self, path, from: origin)
        case .key(let path): option(TransferOption.ClientKey.self, path, from: origin)
        case .retries(let times): option(TransferOption.RetryTimes.self, times, from: origin)
        }
    }

    private mutating func option<Option: RequestOption>(_ type: Option.Type, _ value: Option.Value, from origin: Origin)
    {
        add([part(.option(Option.name), Option.text(for: value))], from: origin) { builder, _ in
            builder.option(Option.self, value)
        }
    }

    private mutating func addBodyFile(_ path: String, from origin: Origin) {
        add([part(.body, path == "-" ? "standard input" : "file \(path)")], from: origin) { builder, evaluation in
            guard path == "-" else {
                guard evaluation.world.files.kind(path) == .file else {
                    evaluation.reportUsage("there is no file \"\(path)\" to send", flag: origin.flag)
                    return nil
                }
                // What the definition says of its kind holds: the flag changes the bytes, not what they are.
                return builder.fileBodyKeepingType(path: path)
            }
            do throws(FileProblem) {
                return builder.commandLineBody(Data(try evaluation.world.standardInput()))
            } catch {
                evaluation.reportUsage("standard input can't be read: \(error.reason)", flag: origin.flag)
                return nil
            }
        }
    }
}

extension RequestBuilder {
    /// A body given by flag: JSON where it looks like JSON and nothing else was said about its type.
    fileprivate func commandLineBody(_ data: Data) -> RequestBuilder {
        let bytes = [UInt8](data)
        let isJSON = bytes.first { !$0.isJSONWhitespace }.map { $0 == .openBrace || $0 == .openBracket } ?? false
        let parsed = isJSON ? JSONDocument.read(SourceFile(name: "body", bytes: bytes)) : nil
        let type = parsed?.problems.isEmpty == true ? "application/json" : "text/plain; charset=utf-8"
        return body(data, contentType: hasContentType ? nil : type)
    }

    fileprivate func fileBodyKeepingType(path: String) -> RequestBuilder {
        let before = history().first { $0.subject == .header("Content-Type") }?.standing.last
        let withFile = fileBody(path: path)
        guard let type = before?.value else { return withFile }
        return withFile.header("Content-Type", type)
    }

    private var hasContentType: Bool {
        history().contains { $0.subject == .header("Content-Type") && !$0.standing.isEmpty }
    }
}

import Calling
import CommandLineKit
import Exchange
import Foundation
import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Fetches a source by its URL with the transport, proxies and redirects of `send`, and without any credentials.
struct ImportDownload {
    let url: CredentialFreeURL

    /// Whether a source of the command line is a URL.
    static func isURL(_ word: String) -> Bool { word.contains("://") }

    /// The maximum time that a download may take.
    private static let limit = Duration.seconds(300)

    init(_ word: String) throws(Failure) {
        if word.hasPrefix("curl ") {
            throw Failure(
                .usage, code: .sourceUnreadable, "expected a file; found a curl command",
                hint: "write it after --, without quotes: reqcli import -- curl …")
        }
        do throws(CredentialFreeURL.Problem) { url = try CredentialFreeURL(word) } catch {
            throw Self.refusal(error)
        }
    }

    /// The URL without its query, for messages.
    private var shown: String { url.origin + url.path }

    /// The source, and its URL after redirects.
    func fetch(upTo largest: Int, _ context: Context) async throws(Failure) -> (file: SourceFile, url: String) {
        try context.refuseShortage()
        var transfer = context.usualTransfer
        transfer.timeouts.total = Self.limit
        transfer.decodesContent = true
        guard let target = URL(string: url.text) else {
            throw Failure(.usage, code: .sourceUnreadable, "\(shown) is not a URL that can be requested")
        }
        let request = PreparedRequest(
            url: target, headers: ["User-Agent": "\(Program.name)/\(Program.version)", "Accept": "*/*"],
            transfer: transfer)
        let client = APIClient(
            base: RequestBuilder(),
            transport: NetworkTransport(context.network),
            redirects: RedirectMiddleware(elapsed: context.world.clock.elapsed))
        do {
            let response = try await client.send(request)
            guard response.isSuccess else { throw refusal(response) }
            let bytes = Array(try await response.body.data(upTo: largest))
            // Sources may contain credentials, so messages show only positions in a source, and never its text.
            let file = SourceFile(name: shown, bytes: bytes, isSecret: true)
            return (file, response.head.url.map { Self.withoutAccount($0) } ?? url.text)
        } catch {
            throw failure(error)
        }
    }

    /// The URL without user and password. A redirect may add them, and no file may contain them.
    private static func withoutAccount(_ url: URL) -> String {
        guard url.user != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url.absoluteString
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? ""
    }
}

// MARK: Failures

extension ImportDownload {
    private func refusal(_ response: Response) -> Failure {
        let reason = response.head.reason.isEmpty ? "" : " \(response.head.reason)"
        return Failure(
            ExitStatus(refusal: response.status) ?? .noAnswer, code: .sourceUnreadable,
            "cannot fetch \(shown): the server responded with \(response.status)\(reason)",
            hint: [401, 403].contains(response.status)
                ? "import sends no credentials: fetch it with \(Program.name) send, or with curl, and import the file"
                : "check the URL")
    }

    private func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let error as TransportError:
            Failure(
                ExitStatus(error), code: .noAnswer, "cannot fetch \(shown): \(error.summary)",
                hint: "\(Program.name) send URL -o FILE has options for proxies, certificates and time limits")
        case let error as ResponseBody.TooLarge:
            Failure(.usage, code: .sourceUnreadable, "\(shown) is larger than \(error.limit >> 20) MiB")
        default: Failure(.noAnswer, code: .noAnswer, "cannot fetch \(shown): \(error)")
        }
    }

    private static func refusal(_ problem: CredentialFreeURL.Problem) -> Failure {
        let pipe = "fetch it with curl, and pipe it in: curl … | \(Program.name) import"
        let (message, hint) =
            switch problem {
            case .scheme:
                ("import fetches URLs that begin with http:// or https://", "name a file by its path")
            case .host(let host):
                ("\"\(host)\" is not a host with an optional port", "such as https://api.example.com/openapi.json")
            case .account: ("import does not accept a URL with a user and a password", pipe)
            case .secret(let part): ("\(part) of the URL looks like a secret, which would be written to a file", pipe)
            }
        return Failure(.usage, code: .sourceUnreadable, message, hint: hint)
    }
}

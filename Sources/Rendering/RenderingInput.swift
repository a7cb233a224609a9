package import Foundation
import Redaction
package import RequestBuilding

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Everything that a rendering is made from.
package struct RenderingInput: Sendable {
    package var request: URLRequest
    package var defaults: WireDefaults
    package var transfer: TransferOptions
    package var secrets: [RenderedSecret]
    /// Prints secrets as they are.
    package var isRevealing: Bool
    package var files: BodyFiles

    package init(
        request: URLRequest, defaults: WireDefaults, transfer: TransferOptions = TransferOptions(),
        secrets: [RenderedSecret] = [], isRevealing: Bool = false, files: BodyFiles = .live
    ) {
        self.request = request
        self.defaults = defaults
        self.transfer = transfer
        self.secrets = secrets
        self.isRevealing = isRevealing
        self.files = files
    }

    var message: WireMessage {
        WireMessage(request, defaults: defaults, fileSize: files.size)
    }

    /// What is to be said about secrets where a format shows this; nothing where it would show the same with them.
    func notesOnMasking(of shown: JSONText, in format: (RenderingInput) -> JSONText) -> [String] {
        guard !isRevealing, !secrets.isEmpty else { return [] }
        var revealing = self
        revealing.isRevealing = true
        guard format(revealing).text() != shown.text() else { return [] }
        return ["secrets are masked, so the request is not the one that is sent; --reveal prints it"]
    }

    /// Finds the secrets that must not be shown.
    var redactor: Redactor {
        Redactor(isRevealing ? [] : secrets.map { Redactor.Secret(label: $0.label, value: $0.value) })
    }
}

/// How the transport is told to behave, as far as a command line can say the same. Nil and false leave an option out.
package struct TransferOptions: Hashable, Sendable {
    package var followsRedirects = false
    package var maximumRedirects: Int?
    /// Takes credentials along where a redirect leads to another host.
    package var sendsCredentialsAnywhere = false
    /// All in seconds.
    package var connectTimeout: Double?
    package var firstByteTimeout: Double?
    package var idleTimeout: Double?
    package var totalTimeout: Double?
    package var caFile: String?
    package var isInsecure = false
    package var certificate: String?
    package var key: String?
    /// The oldest version of TLS that is spoken, such as "1.3".
    package var minimumTLSVersion: String?
    /// Who answers a Digest challenge.
    package var digest: DigestAccount?
    /// Where the Basic credentials of the request come from.
    package var netrc: NetrcSource?
    /// The file of cookies that are sent, and that those of the answer go to.
    package var cookieJar: String?
    /// The cookies of that file that the request carries.
    package var cookies: [String] = []
    package var unixSocket: String?
    /// `HOST:PORT:ADDRESS`, each.
    package var resolvedHosts: [String] = []
    /// How often it is tried again.
    package var retries = 0
    /// Goes straight to the server, whatever the environment says about proxies.
    package var ignoresProxy = false
    /// Speaks HTTP/1.1 even where the server offers more.
    package var usesHTTP1Only = false

    package init() {}
}

/// A file of user names and passwords by host.
package enum NetrcSource: Hashable, Sendable {
    /// `.netrc` in the home folder.
    case home
    case file(String)
}

/// A user and a password for Digest authentication.
package struct DigestAccount: Hashable, Sendable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// The files that bodies are read from.
package struct BodyFiles: Sendable {
    /// A file's size in bytes, or nil where there is no such file.
    package var size: @Sendable (_ path: String) -> Int?
    package var contents: @Sendable (_ path: String) -> Data?

    package init(size: @escaping @Sendable (String) -> Int?, contents: @escaping @Sendable (String) -> Data?) {
        self.size = size
        self.contents = contents
    }

    package static let live = BodyFiles(
        size: RequestBody.size(ofFile:),
        contents: { FileManager.default.contents(atPath: $0) })
}

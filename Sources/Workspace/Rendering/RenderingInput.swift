package import Foundation
import ReqcliRedaction
import ReqcliText
package import RequestBuilding

/// The input of a rendering.
package struct RenderingInput: Sendable {
    package var request: PreparedRequest
    /// The request before it was signed; nil if it isn't signed.
    package var unsigned: PreparedRequest?
    package var defaults: WireDefaults
    package var secrets: [RenderedSecret]
    /// Whether secrets are printed without masks.
    package var isRevealing: Bool
    package var files: BodyFiles
    package var cookieJar: CookieJarFile?

    package init(
        request: PreparedRequest, defaults: WireDefaults, secrets: [RenderedSecret] = [], isRevealing: Bool = false,
        files: BodyFiles = .live, cookieJar: CookieJarFile? = nil
    ) {
        self.request = request
        self.defaults = defaults
        self.secrets = secrets
        self.isRevealing = isRevealing
        self.files = files
        self.cookieJar = cookieJar
    }

    var message: WireMessage {
        WireMessage(request, defaults: defaults, fileSize: files.size)
    }

    /// The note about masked secrets, if masking changes the output of this format.
    func notesOnMasking(of shown: OrderedJSON, in format: (RenderingInput) -> OrderedJSON) -> [String] {
        guard !isRevealing, !secrets.isEmpty, format(revealed) != shown else { return [] }
        return ["secrets are masked, so this is not exactly the request that is sent; --reveal shows the secrets"]
    }

    /// A copy that prints secrets without masks.
    var revealed: RenderingInput {
        var input = self
        input.isRevealing = true
        return input
    }

    /// Finds the secrets that must not be shown. A match contains an index into `secrets`, so secrets that may be shown
    /// stay in the list, with an empty text that never matches.
    var redactor: Redactor {
        Redactor(
            secrets.map { Redactor.Secret(label: $0.label, value: isRevealing && !$0.isStandIn ? "" : $0.value) })
    }
}

/// The file from which cookies are read.
package struct CookieJarFile: Hashable, Sendable {
    package var path: String
    /// Whether the cookies are also saved to the cookie file.
    package var isSaved: Bool
    /// The cookies of the file that are sent with the request.
    package var cookies: [String]

    package init(path: String, isSaved: Bool = true, cookies: [String] = []) {
        self.path = path
        self.isSaved = isSaved
        self.cookies = cookies
    }
}

/// Access to the files from which bodies are read.
package struct BodyFiles: Sendable {
    /// The size of a file in bytes; nil if the file doesn't exist.
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

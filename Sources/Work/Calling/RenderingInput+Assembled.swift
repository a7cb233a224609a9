import Exchange
import Foundation
package import Rendering
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

extension RenderingInput {
    /// Converts an assembled request to the input of the renderings.
    package init(_ assembled: AssembledRequest, isRevealing: Bool) {
        let variables = assembled.captureVariables
        let origin = WebOrigin(assembled.request.url).text
        // A token is asked for by the name of its server, which must not show a secret.
        let server = assembled.redactor.isSecret(in: Array(origin.utf8)) ? [] : ["--for", origin]
        self.init(
            // The request has every header that is sent: the built-in layer has set the headers that no file or flag sets.
            request: assembled.requestWithoutDefaults(keepingHeaders: true),
            defaults: WireDefaults(userAgent: nil, accept: nil),
            secrets: assembled.secrets.map {
                RenderedSecret($0, in: assembled.call.workspace, variables, server: server)
            },
            isRevealing: isRevealing)
    }

    /// Shows the request with the signature with which it was sent first.
    package mutating func showSignature(of assembled: AssembledRequest) {
        guard request.signer != nil else { return }
        unsigned = request
        request = assembled.sent(request)
    }

    /// Signs the request as it is sent now.
    package mutating func sign(as assembled: AssembledRequest) throws(Failure) {
        guard let signed = try assembled.signed(request) else { return }
        unsigned = request
        request = signed.request
        secrets += (assembled.signatures?.secrets(of: signed) ?? []).map {
            RenderedSecret($0, in: assembled.call.workspace, [:])
        }
    }
}

extension RenderedSecret {
    /// Converts a secret to the form in which a command reads it.
    ///
    /// - Parameters:
    ///   - workspace: The workspace. A program that prints the secret runs in the root of the workspace.
    ///   - variables: The variables for captures, by the name of the capture.
    ///   - server: The words that name the server of an access token.
    init(
        _ secret: ResolvedSecret, in workspace: Workspace, _ variables: [String: String], server: [String] = []
    ) {
        let source: Source =
            switch secret.origin {
            case _ where !secret.isAsInShell: .unknown
            case .processVariable(let variable): .environment(variable)
            // The user who runs the command has to export the variable. The command never contains its value.
            case .environmentFile(let variable, _): .environment(variable)
            case .command(let arguments): .command(arguments, folder: workspace.root)
            case .file(let path): .file(path)
            case .awaitedCapture: variables[secret.name].map { .environment($0) } ?? .unknown
            case .accessToken(let words): .command(words + server, folder: workspace.folderOfCommands)
            case .computed(let pipe, _): pipe.map { .pipe($0) } ?? .unknown
            case .parameter, .capture, .netrc, .cookie, .computedLater, .written: .unknown
            }
        self.init(
            name: secret.name, value: secret.value, source: source, label: secret.label,
            isStandIn: secret.isStandIn)
    }
}

extension Workspace {
    /// The folder in which a command of reqcli finds this workspace; nil if that is the current folder.
    fileprivate var folderOfCommands: String? { FilePath.isInside(currentFolder, root) ? nil : root }
}

extension AssembledRequest {
    /// By the name of each capture, the variable that a command reads it from. For `login.token` this is `LOGIN_TOKEN`, or
    /// `LOGIN_TOKEN_2` if a secret is already read from `LOGIN_TOKEN`.
    package var captureVariables: [String: String] {
        var names = UniqueNames(Set(secrets.compactMap(\.variable)), separator: "_")
        var variables: [String: String] = [:]
        for standIn in secrets {
            guard case .awaitedCapture = standIn.origin else { continue }
            variables[standIn.name] = names.take(Self.variable(for: standIn.name))
        }
        return variables
    }

    private static func variable(for name: String) -> String {
        let bytes = name.uppercased().utf8.map { $0.isAlphanumeric ? $0 : UInt8(ascii: "_") }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.isVariableName ? text : "_" + text
    }
}

extension ResolvedSecret {
    fileprivate var variable: String? {
        switch origin {
        case .processVariable(let variable), .environmentFile(let variable, _): variable
        default: nil
        }
    }
}

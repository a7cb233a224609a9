import Assembly
import Definitions
import Foundation
import Rendering
import RequestBuilding

extension RenderingInput {
    /// An assembled request as the renderings take it.
    init(_ assembled: AssembledRequest, isRevealing: Bool) {
        self.init(
            // The request says everything that is sent: the built-in layer has set what it doesn't.
            request: assembled.request, defaults: WireDefaults(userAgent: nil, accept: nil),
            secrets: assembled.secrets.map { RenderedSecret($0, in: assembled.call.workspace) },
            isRevealing: isRevealing)
        // The built-in timeouts would be three flags on every command that change nothing where all goes well.
        let builtIn = assembled.partsLeftToDefault
        if builtIn.contains(.setting(TransferSetting.connectTimeout.name)) { request.transfer.timeouts.connect = nil }
        if builtIn.contains(.setting(TransferSetting.idleTimeout.name)) { request.transfer.timeouts.idle = nil }
    }
}

extension RenderedSecret {
    /// - Parameter workspace: Whose root its program runs in.
    init(_ secret: ResolvedSecret, in workspace: Workspace) {
        let source: Source =
            switch secret.origin {
            case _ where !secret.isAsInShell: .unknown
            case .processVariable(let variable): .environment(variable)
            // Exporting it is up to whoever pastes the command; its value stays out of it all the same.
            case .environmentFile(let variable, _): .environment(variable)
            case .command(let arguments): .command(arguments, folder: workspace.root)
            case .file(let path): .file(path)
            case .parameter, .capture, .netrc, .cookie: .unknown
            }
        self.init(name: secret.name, value: secret.value, source: source, label: secret.label)
    }
}

import Assembly
import Definitions
import Foundation
import Rendering
import RequestBuilding

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RenderingInput {
    /// An assembled request as the renderings take it.
    init(_ assembled: AssembledRequest, isRevealing: Bool) {
        self.init(
            // The request says everything that is sent: the built-in layer has set what it doesn't.
            request: assembled.request, defaults: WireDefaults(userAgent: nil, accept: nil),
            transfer: TransferOptions(assembled),
            secrets: assembled.secrets.map { RenderedSecret($0, in: assembled.call.workspace) },
            isRevealing: isRevealing)
    }
}

extension TransferOptions {
    /// What the definitions and the flags say. The built-in timeouts are left out: they would be three flags on every
    /// command that change nothing where all goes well.
    fileprivate init(_ assembled: AssembledRequest) {
        self.init()
        let options = assembled.options
        let builtIn = assembled.partsLeftToDefault
        func seconds<Option: DurationOption>(_ option: Option.Type) -> Double? {
            builtIn.contains(.option(Option.name)) ? nil : options[option]?.inSeconds
        }
        connectTimeout = seconds(TransferOption.ConnectTimeout.self)
        firstByteTimeout = seconds(TransferOption.FirstByteTimeout.self)
        idleTimeout = seconds(TransferOption.IdleTimeout.self)
        totalTimeout = seconds(TransferOption.TotalTimeout.self)
        followsRedirects = options[TransferOption.FollowRedirects.self] ?? false
        sendsCredentialsAnywhere = options[TransferOption.RedirectCredentials.self] == .anyHost
        maximumRedirects =
            options[TransferOption.MaximumRedirects.self] ?? TransferOption.MaximumRedirects.standard
        caFile = options[TransferOption.CertificateAuthorities.self]
        isInsecure = options[TransferOption.Insecure.self] ?? false
        certificate = options[TransferOption.ClientCertificate.self]
        key = options[TransferOption.ClientKey.self]
        minimumTLSVersion = options[TransferOption.MinimumTLSVersion.self]
        netrc =
            options[TransferOption.HomeNetrc.self] == true
            ? .home : options[TransferOption.NetrcFile.self].map { .file($0) }
        unixSocket = options[TransferOption.UnixSocket.self]
        resolvedHosts = options[TransferOption.ResolvedHosts.self] ?? []
        retries = options[TransferOption.RetryTimes.self] ?? 0
        digest = assembled.digestAccount.map { DigestAccount(user: $0.user, password: $0.password) }
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

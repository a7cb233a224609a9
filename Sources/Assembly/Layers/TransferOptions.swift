package import Definitions
package import RequestBuilding

/// How the request is to be carried, one option for each key of `timeout`, `redirects`, `retry` and `tls`: layers merge
/// them key by key, and `explain` tells where each comes from.
package enum TransferOption {
    package enum ConnectTimeout: DurationOption { package static let name = "timeout.connect" }
    package enum FirstByteTimeout: DurationOption { package static let name = "timeout.firstByte" }
    package enum IdleTimeout: DurationOption { package static let name = "timeout.idle" }
    package enum TotalTimeout: DurationOption { package static let name = "timeout.total" }
    package enum FollowRedirects: FlagOption { package static let name = "redirects.follow" }
    package enum MaximumRedirects: CountOption {
        package static let name = "redirects.max"
        /// What holds where nobody says anything.
        package static let standard = 10
    }
    package enum RedirectCredentials: RequestOption {
        package typealias Value = Redirects.Credentials
        package static let name = "redirects.credentials"
    }
    package enum RetryTimes: CountOption { package static let name = "retry.times" }
    package enum RetryStatuses: ListOption { package static let name = "retry.on" }
    package enum RetryMethods: ListOption { package static let name = "retry.methods" }
    package enum RetryDelay: DurationOption { package static let name = "retry.delay" }
    package enum CertificateAuthorities: TextOption { package static let name = "tls.ca" }
    package enum ClientCertificate: TextOption { package static let name = "tls.cert" }
    package enum ClientKey: TextOption { package static let name = "tls.key" }
    package enum Insecure: FlagOption { package static let name = "tls.insecure" }
    package enum MinimumTLSVersion: TextOption { package static let name = "tls.minVersion" }
    package enum UnixSocket: TextOption { package static let name = "unix-socket" }
    /// `HOST:PORT:ADDRESS`, each.
    package enum ResolvedHosts: ListOption { package static let name = "resolve" }
    /// The netrc file that the credentials come from.
    package enum NetrcFile: TextOption { package static let name = "netrc-file" }
    /// True where that is the one in the home folder.
    package enum HomeNetrc: FlagOption { package static let name = "netrc" }
    /// `user:password`, both percent-encoded; shown only through the redactor.
    package enum DigestAccount: TextOption { package static let name = "auth.digest" }
}

package protocol FlagOption: RequestOption where Value == Bool {}
package protocol CountOption: RequestOption where Value == Int {}
package protocol TextOption: RequestOption where Value == String {}

package protocol DurationOption: RequestOption where Value == Duration {}

extension DurationOption {
    package static func text(for value: Duration) -> String { DurationText.write(value) }
    package static func value(for text: String) -> Duration? { DurationText.parse(text) }
}

package protocol ListOption: RequestOption where Value == [String] {}

extension ListOption {
    package static func text(for value: [String]) -> String { value.joined(separator: ", ") }

    package static func value(for text: String) -> [String]? {
        text.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}

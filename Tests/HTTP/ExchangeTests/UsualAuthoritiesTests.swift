import RequestBuilding
import Testing

@testable import Exchange

/// Which certificates are trusted where a request names none.
@Suite struct UsualAuthoritiesTests {
    @Test(
        "libcurl's own file counts if it is there, else the first of the usual places",
        arguments: [
            (nil, [], .ofLibcurl),
            (["/built/in.pem"], ["/built/in.pem", "/etc/ssl/cert.pem"], .ofLibcurl),
            (["/built/in.pem"], ["/etc/ssl/cert.pem"], .file("/etc/ssl/cert.pem")),
            ([], ["/etc/ssl/cert.pem", "/etc/pki/tls/certs/ca-bundle.crt"], .file("/etc/pki/tls/certs/ca-bundle.crt")),
            ([], ["/etc/other.pem"], .missing), (["/built/in.pem"], [], .missing),
        ] as [([String]?, [String], UsualAuthorities)])
    func places(_ preset: [String]?, _ there: [String], _ expected: UsualAuthorities) {
        #expect(UsualAuthorities(preset: preset, exists: there.contains) == expected)
    }

    @Test(
        "variables name certificates as for the curl program",
        arguments: [
            ([:], nil, nil), (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], "/f", "/d"),
            (["SSL_CERT_DIR": "/d"], nil, "/d"),
            (["CURL_CA_BUNDLE": "/c", "SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], "/c", nil),
            (["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "/f"], "/f", nil),
        ] as [([String: String], String?, String?)])
    func variables(_ environment: [String: String], _ file: String?, _ folder: String?) {
        let usual = TransferSettings(environment: environment)
        #expect(usual.tls.authorities == file && usual.tls.authoritiesFolder == folder)
        let completed = TransferSettings().completed(by: usual)
        #expect(completed.tls.authorities == file && completed.tls.authoritiesFolder == folder)
        var own = TransferSettings()
        own.tls.authorities = "/own"
        #expect(own.completed(by: usual).tls == own.tls)
    }
}

import Foundation

/// A user name and password for the Basic scheme (RFC 7617).
struct BasicCredentials: Hashable, Sendable {
    let user: String
    let password: String

    var headerValue: String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
}

import Foundation

/// A secret that needs escapes everywhere, in every form in which a request has it, or a server may echo it.
enum EchoedSecret {
    static let value = #"sw/rd "fish"+é"#

    static let forms: [String] = {
        let percent = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [
            value, percent, percent.lowercased(), Data(value.utf8).base64EncodedString(),
            Data("ada:\(value)".utf8).base64EncodedString(), value.replacing("\"", with: "\\\""),
            #"sw\/rd \"fish\"+\u00e9"#,
        ]
    }()
}

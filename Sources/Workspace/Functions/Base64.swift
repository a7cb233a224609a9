import Foundation
import ReqcliBasics

/// Base64 (RFC 4648, section 4).
package enum Base64 {
    /// Encodes bytes for URLs, without padding (RFC 4648, section 5).
    package static func encodeForURL(_ bytes: [UInt8]) -> String {
        let standard = Data(bytes).base64EncodedString()
        return standard.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Decodes a text. Whitespace is skipped, and the padding may be missing. Nil if the rest of the text is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = text.utf8.filter { !$0.isJSONWhitespace }
        let padding = UInt8(ascii: "=")
        if !digits.contains(padding) {
            digits += Array(repeating: padding, count: (4 - digits.count % 4) % 4)
        }
        // If a text has padding in the middle, or too much padding, Foundation reads only the part before it.
        guard digits.count % 4 == 0, digits.drop(while: { $0 != padding }).allSatisfy({ $0 == padding }) else {
            return nil
        }
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }
}

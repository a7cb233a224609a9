import ReqcliBasics

/// The valid names of files, endpoints, environments, params, variables, secrets and variants.
package enum Name {
    static let pattern = "^[A-Za-z0-9_-]+$"
    static let idPattern = #"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$"#
    static let advice = "use letters, digits, _ and -"

    package static func isValid(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isByte)
    }

    /// Whether a byte is a letter, a digit, `_` or `-`.
    static func isByte(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte == 0x5F || byte == .minus }

    package static func isValidID(_ id: String) -> Bool {
        id.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isValid)
    }

    static func complaint(_ name: String, _ role: String) -> String {
        "\"\(name)\" can't be the name of \(role)"
    }
}

/// The valid names of files, endpoints, environments, params, variables, secrets and variants.
package enum Name {
    static let pattern = "^[A-Za-z0-9_-]+$"
    static let idPattern = #"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$"#
    static let advice = "use letters, digits, _ and -"

    package static func isValid(_ name: some StringProtocol) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F || byte == 0x2D
            }
    }

    package static func isValidID(_ id: String) -> Bool {
        id.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isValid)
    }

    static func complaint(_ name: String, _ role: String) -> String {
        "\"\(name)\" can't be the name of \(role)"
    }
}

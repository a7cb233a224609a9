package import Foundation

extension HostileServer {
    /// A request as received.
    package struct Request: Sendable {
        /// The head, including the empty line at its end.
        package let head: String
        /// The body without chunked encoding.
        package let body: Data

        /// The request line.
        package var line: String { head.components(separatedBy: "\r\n").first ?? "" }

        /// The header lines in order.
        package var headerLines: [String] {
            head.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
        }

        /// The values of one header.
        package func values(_ name: String) -> [String] {
            headerLines.compactMap { line in
                let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2, pair[0].lowercased() == name.lowercased() else { return nil }
                return pair[1].trimmingCharacters(in: .whitespaces)
            }
        }
    }
}

/// Where an operator comes from: the layer that applied it and, where known, the place in a file or the flag.
///
/// ```swift
/// let origin = Origin(layer: "environment staging", file: "environments/staging.json", line: 4, column: 5)
/// builder.from(origin).timeout(seconds: 30)
/// ```
public struct Origin: Hashable, Sendable {
    /// The run of operators that this one belongs to, such as "environment staging" or "command line".
    public let layer: String

    /// The file that the operator was read from.
    public let file: String?

    /// The line in ``file``, counted from 1.
    public let line: Int?

    /// The column in ``line``, counted from 1.
    public let column: Int?

    /// The flag as it was typed, such as "--timeout 5".
    public let flag: String?

    /// An origin in a file, or in nothing more exact than a layer.
    public init(layer: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.layer = layer
        self.file = file
        self.line = line
        self.column = column
        self.flag = nil
    }

    /// An origin on a command line.
    public init(layer: String, flag: String) {
        self.layer = layer
        self.file = nil
        self.line = nil
        self.column = nil
        self.flag = flag
    }

    /// The place in Swift code where this is called.
    public static func here(
        _ layer: String, file: String = #fileID, line: Int = #line, column: Int = #column
    ) -> Origin {
        Origin(layer: layer, file: file, line: line, column: column)
    }
}

extension Origin: CustomStringConvertible {
    /// The most exact thing known: the flag, else `file:line:column`, else the layer.
    public var description: String {
        if let flag { return flag }
        guard let file else { return layer }
        return [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
    }
}

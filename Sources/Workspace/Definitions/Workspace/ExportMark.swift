/// The mark of files that `export` writes. Where `import` finds it, names of requests are ids, and variables of a file are params.
package enum ExportMark {
    /// A comment, or the name of the program that wrote a file.
    package static let text = "Written by reqcli export"
    /// Begins the comment before the params in a file of variables.
    package static let params = "Params"
}

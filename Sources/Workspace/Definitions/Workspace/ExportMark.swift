/// The mark of files that `export` writes. In a description with this mark, `import` takes the names of operations as the ids of
/// endpoints.
package enum ExportMark {
    /// A comment, or the name of the program that wrote a file.
    package static let text = "Written by reqcli export"
}

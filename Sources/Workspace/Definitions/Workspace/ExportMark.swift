/// The mark of files that `export` writes. In a description with this mark, `import` takes the names of operations as the ids of
/// endpoints.
package enum ExportMark {
    /// The text of the mark. Files contain it in a comment, or as the name of the program that wrote the file.
    package static let text = "Written by reqcli export"
}

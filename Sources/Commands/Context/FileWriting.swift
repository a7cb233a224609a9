/// Everything that commands do to a file system, as closures; reading is `FileSystem`'s.
package struct FileWriting: Sendable {
    /// Makes a folder and those above it; one that is there already is left as it is.
    package var makeFolder: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Makes a file that must not be there yet, whole or not at all.
    package var makeFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(WritingProblem) -> Void
    /// Gives a folder another name, which must not be taken (by more than an empty folder): nothing is lost.
    package var moveFolder: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Puts a file in the place of another, whose permissions it takes over, in one step; or where there is none.
    package var replaceFile: @Sendable (_ path: String, _ newPath: String) throws(WritingProblem) -> Void
    /// Puts a file that only its owner can read in the place of another, whole or not at all.
    package var replacePrivateFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(WritingProblem) -> Void
    /// Finds out whether that could be done now, and leaves everything as it was.
    package var checkPrivateFile: @Sendable (_ path: String) throws(WritingProblem) -> Void
    /// Removes a file, or a folder and all that is in it; what isn't there needs no removing.
    package var remove: @Sendable (_ path: String) -> Void

    package init(
        makeFolder: @escaping @Sendable (String) throws(WritingProblem) -> Void,
        makeFile: @escaping @Sendable (String, [UInt8]) throws(WritingProblem) -> Void,
        moveFolder: @escaping @Sendable (String, String) throws(WritingProblem) -> Void,
        replaceFile: @escaping @Sendable (String, String) throws(WritingProblem) -> Void = {
            (_, _) throws(WritingProblem) in throw WritingProblem("nothing is replaced here")
        },
        replacePrivateFile: @escaping @Sendable (String, [UInt8]) throws(WritingProblem) -> Void = {
            (_, _) throws(WritingProblem) in throw WritingProblem("nothing is replaced here")
        },
        checkPrivateFile: @escaping @Sendable (String) throws(WritingProblem) -> Void = {
            (_) throws(WritingProblem) in throw WritingProblem("nothing is replaced here")
        },
        remove: @escaping @Sendable (String) -> Void
    ) {
        self.makeFolder = makeFolder
        self.makeFile = makeFile
        self.moveFolder = moveFolder
        self.replaceFile = replaceFile
        self.replacePrivateFile = replacePrivateFile
        self.checkPrivateFile = checkPrivateFile
        self.remove = remove
    }
}

/// Why something can't be written.
package struct WritingProblem: Error, Equatable {
    /// Completes "… can't be written: ".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

import CommandLineKit
import Foundation
import Glibc
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Reports saved files of a workspace, on a separate thread.
final class LiveReload: Sendable {
    private let watch: Mutex<FileWatch>
    private let end: Pipe

    /// Begins to notice saved files.
    ///
    /// - Parameter byInotify: False to look at the files at intervals. This is needed on a network share, which doesn't report
    ///   what other machines save.
    init(_ workspace: Workspace, byInotify: Bool) throws(SystemError) {
        end = try Pipe()
        watch = Mutex(
            FileWatch([workspace.root], files: workspace.files, byInotify: byInotify) { path, isFolder in
                workspace.isWatched(path, isFolder: isFolder)
            })
    }

    /// Calls a function with the paths of saved files, once no more files are saved for a moment.
    func start(_ reload: @escaping @Sendable (Set<String>) -> Void) {
        Thread.detachNewThread { [self] in
            watch.withLock { watch in
                while wait(for: watch) {
                    if let saved = watch.savedFiles() { reload(saved) }
                }
            }
        }
    }

    func stop() { end.tell() }

    /// Waits until something may have been saved. Returns false when the watch has ended.
    private func wait(for watch: borrowing FileWatch) -> Bool {
        var descriptors = [watch.descriptor, end.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&descriptors, 2, watch.patience)
        return descriptors[1].revents == 0
    }
}

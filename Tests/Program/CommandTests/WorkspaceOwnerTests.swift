import CommandLineKit
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Commands

@Suite("Workspaces of other users")
struct WorkspaceOwnerTests {
    private func list(
        _ words: [String] = [], owners: [String: UInt32], user: UInt32 = 1000, variables: [String: String] = [:]
    ) async -> (status: ReqcliText.ExitStatus, messages: String) {
        var files = Samples.files().fileSystem
        files.owner = { owners[$0] ?? user }
        let messages = Written()
        let context = Context.test(
            files: files, folder: "/work/endpoints", userID: user, variables: variables, messages: messages.output)
        return (await Program.run(["list"] + words, in: context), messages.text)
    }

    @Test(
        "One that is found on the way up is refused, and the message says how to use it",
        arguments: ["/work", "/work/endpoints", "/work/environments", "/work/stubs"])
    func refused(_ folder: String) async {
        let (status, messages) = await list(owners: [folder: 1001])
        #expect(status == .usage)
        #expect(
            messages == """
                error: the nearest workspace is not yours: "\(folder)" belongs to another user
                  if you trust it, name it: --workspace /work, or REQCLI_WORKSPACE=/work

                """)
    }

    @Test("One that is named is used")
    func named() async {
        #expect(await list(["-C", "/work"], owners: ["/work": 1001]).status == .success)
        #expect(await list(owners: ["/work": 1001], variables: ["REQCLI_WORKSPACE": "/work"]).status == .success)
        #expect(await list(owners: ["/work": 1001], variables: ["REQCLI_WORKSPACE": ""]).status == .usage)
    }

    @Test("Root uses those of the user who called sudo, and nobody else's")
    func root() async {
        let sudo = ["SUDO_UID": "1001"]
        #expect(await list(owners: ["/work": 1001], user: 0, variables: sudo).status == .success)
        #expect(await list(owners: [:], user: 0, variables: sudo).status == .success)
        #expect(await list(owners: ["/work": 1001], user: 0).status == .usage)
        #expect(await list(owners: ["/work": 1002], user: 0, variables: sudo).status == .usage)
        #expect(await list(owners: ["/work": 1001], user: 1000, variables: sudo).status == .usage)
        #expect(await list(owners: ["/work": 1001], user: 0, variables: ["SUDO_UID": "x"]).status == .usage)
    }
}

import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// The tokens of logins: how they are renewed, shared and revoked.
@Suite(.serialized) struct TokenRenewalTests {
    // MARK: Renewing

    @Test("A renewed token is kept although the request has a short time limit, or Ctrl-C comes meanwhile")
    func rotated() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        issuer.set { $0.delay = 0.6 }
        try DeviceIssuer.change(workspace, issuer.environment(#", "timeout": "200ms""#))
        try DeviceIssuer.age(workspace)
        var run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 0 && issuer.received == ["Bearer access-token-2"], "\(run)")

        for command in [["send", "it"], ["token"]] {
            try DeviceIssuer.age(workspace)
            let count = issuer.bodies("/token").count
            // The signal comes before the response, also on a busy machine.
            issuer.set { $0.holdsTokens = true }
            let tool = try Tool.start(command, in: workspace)
            #expect(await eventually { issuer.bodies("/token").count > count })
            tool.send(signal: .interrupt)
            issuer.set { $0.holdsTokens = false }
            run = try await tool.end()
            #expect(run.status == 130, "\(run)")
            let text = try String(contentsOfFile: DeviceIssuer.file(workspace), encoding: .utf8)
            #expect(text.contains("refresh-token-\(count + 1)"), "\(command) \(text)")
        }
    }

    @Test("A token without a refresh token is used until its end, also after the clock was set back")
    func unrenewable() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        issuer.set { $0.hasRefresh = false }
        _ = try await DeviceIssuer.logIn(workspace)
        for (obtained, expires) in [(30, 3600), (-3590, 10)] {
            try DeviceIssuer.age(workspace, obtained: obtained, expires: expires)
            let run = try await Tool.run(["send", "it"], in: workspace)
            #expect(run.status == 0, "\(run)")
        }
        try DeviceIssuer.age(workspace)
        let run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 3 && run.errors.contains("the login to development has ended"), "\(run)")
        #expect(issuer.received.count == 2)
    }

    @Test("A server that gives no token is asked once for all cases")
    func failing() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        for number in 1...8 { try workspace.write("endpoints/a\(number).json", #"{ "path": "/api" }"#) }
        try DeviceIssuer.age(workspace)
        issuer.set { $0.error = "not now" }
        let run = try await Tool.run(["check", "-j", "3"], in: workspace)
        #expect(run.status == 3 || run.status == 1, "\(run)")
        #expect(issuer.bodies("/token").count == 2 && issuer.received.isEmpty, "\(run)")
    }

    @Test("An endpoint that always responds with 401 costs one renewal in a run")
    func alwaysRejected() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        for number in 1...5 { try workspace.write("endpoints/a\(number).json", #"{ "path": "/api" }"#) }
        issuer.set { $0.apiStatus = 401 }
        _ = try await Tool.run(["check", "-j", "1"], in: workspace)
        #expect(issuer.bodies("/token").count == 2)
    }

    @Test("A process that renews another token keeps nobody waiting, and one that renews this token does")
    func locks() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        try DeviceIssuer.age(workspace)
        let folder = open(DeviceIssuer.folder(workspace), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX) == 0)
        var run = try await Tool.run(["send", "it"], in: workspace, within: .seconds(20))
        #expect(run.status == 0 && issuer.received.last == "Bearer access-token-2", "\(run)")

        try DeviceIssuer.age(workspace)
        let path = try DeviceIssuer.file(workspace).replacing(".json", with: ".lock")
        let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let events = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        defer { close(events) }
        #expect(inotify_add_watch(events, path, UInt32(IN_OPEN)) >= 0)
        let tool = try Tool.start(["send", "it"], in: workspace)
        // A process that opens the lock for the second time waits for it.
        var opened = 0
        let isWaiting = await eventually {
            var event = [UInt8](repeating: 0, count: 4096)
            // An event about the watched file itself has no name.
            opened += max(0, read(events, &event, event.count)) / MemoryLayout<inotify_event>.size
            return opened >= 2
        }
        #expect(isWaiting && issuer.received.count == 1)
        // Another process has renewed it.
        try DeviceIssuer.age(workspace, obtained: -10, expires: 3000)
        flock(lock, LOCK_UN)
        run = try await tool.end()
        #expect(run.status == 0 && issuer.bodies("/token").count == 2, "\(run)")
    }

    // MARK: Logging out

    @Test("logout revokes both tokens, and removes what killed processes left")
    func revoked() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        let path = try DeviceIssuer.file(workspace)
        let key = (path as NSString).lastPathComponent
        let part = DeviceIssuer.folder(workspace) + "/.\(key).abc.reqcli.part"
        try "refresh-token-0".write(toFile: part, atomically: false, encoding: .utf8)
        let run = try await Tool.run(["logout"], in: workspace)
        #expect(run.status == 0 && run.outputText.contains("revoked and removed"), "\(run)")
        #expect(issuer.bodies("/revoke").map { $0.prefix(12) } == ["token=refres", "token=access"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: DeviceIssuer.folder(workspace)).isEmpty)

        try "refresh-token-0".write(toFile: part, atomically: false, encoding: .utf8)
        _ = try await Tool.run(["logout", "--all"], in: workspace)
        #expect(try FileManager.default.contentsOfDirectory(atPath: DeviceIssuer.folder(workspace)).isEmpty)
    }

    @Test("logout says if a token may still be valid, and removes it also without the client's secret")
    func unrevoked() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        issuer.set { $0.hasRevocation = false }
        _ = try await DeviceIssuer.logIn(workspace)
        var run = try await Tool.run(["logout"], in: workspace)
        #expect(run.status == 0 && run.errors.contains("was not revoked and may still be valid"), "\(run)")

        issuer.set { $0.hasRevocation = true }
        try DeviceIssuer.change(workspace, issuer.environment(secret: true))
        let login = try await DeviceIssuer.logIn(workspace, variables: ["CLIENT": "s"])
        #expect(login.status == 0, "\(login.screen)")
        run = try await Tool.run(["logout"], in: workspace)
        #expect(run.status == 0 && run.errors.contains("CLIENT is not set"), "\(run)")
        #expect(run.errors.contains("may still be valid") && issuer.bodies("/revoke").isEmpty, "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: DeviceIssuer.folder(workspace)).isEmpty)
    }

    @Test("logout removes a file that can't be used, and login refuses to write to it")
    func unsafe() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        let path = try DeviceIssuer.file(workspace)
        chmod(path, 0o644)
        let login = try await DeviceIssuer.logIn(workspace)
        #expect(login.status == 3 && login.screen.contains("its mode is 0644"), "\(login.screen)")
        let run = try await Tool.run(["logout"], in: workspace)
        #expect(run.status == 0 && !run.errors.contains("no token is kept"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

import ReqcliAssembly
import ReqcliDefinitions
import TestSupport
import Testing

@testable import Commands

@Suite("Agreements")
struct AgreementTests {
    private static let command = TrustRequest.program(["sh", "token.sh", "-v"])
    private static let file = TrustRequest.file("token", real: "/out/token")

    /// - Parameter links: Where paths lead; what is below one leads below its target.
    private func agreement(
        _ request: TrustRequest, _ files: [String: String] = ["/w/token.sh": "echo 1", "/bin/sh": "ELF"],
        links: [String: String] = [:], workspace: String = "/w"
    ) -> Agreement {
        @Sendable func target(_ path: String) -> String {
            guard let link = links.first(where: { FilePath.isInside(path, $0.key) }) else { return path }
            return link.value + path.dropFirst(link.key.count)
        }
        let memory = MemoryFiles(files).fileSystem
        var system = memory
        system.kind = { memory.kind(target($0)) }
        system.resolve = { memory.resolve(target($0)) }
        system.read = { path, limit throws(FileProblem) in try memory.read(target(path), limit) }
        return Agreement(to: request, by: workspace, files: system, searchPath: "/usr/bin:/bin")
    }

    @Test("One holds for the same words, files and workspace")
    func same() {
        #expect(agreement(Self.command) == agreement(Self.command))
        #expect(agreement(Self.file) == agreement(Self.file))
        let hash = "8ff76b84557c1745fe2003155f68de27f0c501ccceefd947b5746fe7a7de831e"
        #expect(
            agreement(Self.command).line
                == #"{"workspace":"/w","run":["sh","token.sh","-v"],"files":[["/w/token.sh","\#(hash)"]]}"#)
        #expect(agreement(Self.file).line == #"{"workspace":"/w","read":"token","file":"/out/token"}"#)
    }

    @Test("Other words, another path and another target of a link are another agreement")
    func words() {
        #expect(agreement(.program(["sh", "token.sh"])) != agreement(Self.command))
        #expect(agreement(.file("token", real: "/out/other")) != agreement(Self.file))
        #expect(agreement(.file("tokens", real: "/out/token")) != agreement(Self.file))
    }

    @Test("A script that has changed is another agreement, whatever word names it")
    func changedScript() {
        let other = ["/w/token.sh": "echo 2", "/bin/sh": "ELF"]
        for words in [["sh", "token.sh"], ["./token.sh"], ["/w/token.sh"], ["sh", "-e", "./x/../token.sh"]] {
            #expect(agreement(.program(words)) != agreement(.program(words), other), "\(words)")
        }
    }

    @Test("A link that leads to another script is another agreement, even to one of the same content")
    func changedLink() {
        let files = ["/w/a.sh": "echo 1", "/w/b.sh": "echo 1", "/out/c.sh": "echo 1"]
        let targets = ["/w/a.sh", "/w/b.sh", "/out/c.sh"]
        let lines = targets.map { agreement(.program(["sh", "run"]), files, links: ["/w/run": $0]).line }
        #expect(Set(lines).count == 3)
    }

    @Test("A program of the system may be updated, one in the workspace that is found in PATH may not")
    func outsideProgram() {
        #expect(
            agreement(.program(["sh"]), ["/bin/sh": "1"]) == agreement(.program(["sh"]), ["/bin/sh": "2"]))
        #expect(
            agreement(.program(["/bin/sh"]), ["/bin/sh": "1"]) == agreement(.program(["/bin/sh"]), ["/bin/sh": "2"]))
        let linked = ["/usr/bin/tool": "/w/tool"]
        #expect(
            agreement(.program(["tool"]), ["/w/tool": "1"], links: linked)
                != agreement(.program(["tool"]), ["/w/tool": "2"], links: linked))
    }

    @Test("A workspace is known by its real path")
    func workspace() {
        let files = ["/w/token.sh": "echo 1", "/v/token.sh": "echo 1"]
        #expect(agreement(Self.command, files, workspace: "/w") != agreement(Self.command, files, workspace: "/v"))
        let links = ["/here": "/w", "/there": "/v"]
        #expect(
            agreement(Self.command, files, links: links, workspace: "/here")
                == agreement(Self.command, files, links: links, workspace: "/w"))
        #expect(
            agreement(Self.file, files, links: ["/here": "/w"], workspace: "/here")
                != agreement(Self.file, files, links: ["/here": "/v"], workspace: "/here"))
    }
}

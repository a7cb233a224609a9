import Foundation
import ReqcliBasics

/// A self-contained page. It loads no other files, and it shows everything even if its script does not run.
package struct HTMLPage {
    /// The title, as markup.
    let title: String
    var script: [UInt8] = []

    package init(title: String) { self.title = title }

    init(title: String, script: [UInt8]) { (self.title, self.script) = (title, script) }

    /// The page with the content of its body, as markup.
    package func text(_ body: String) -> String { start + body + end }

    /// The part before the content of the body.
    var start: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <link rel="icon" href="data:,">
        <title>\(title)</title>
        <style>
        \(String(decoding: PackageResources.report_css, as: UTF8.self))</style>
        </head>
        <body>

        """
    }

    var end: String {
        let code = String(decoding: script, as: UTF8.self)
        return "\n\(script.isEmpty ? "" : "<script>\(code)</script>\n")</body>\n</html>\n"
    }

    /// A share of a width, such as `12.5%`.
    static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10)%" }

    /// A Content-Security-Policy. It makes text of a response harmless even if the text were not escaped: only the page's own
    /// script runs.
    private var policy: String {
        let own = script.isEmpty ? "'none'" : "'sha256-\(Data(SHA256.hash(script)).base64EncodedString())'"
        return
            "default-src 'none'; style-src 'unsafe-inline'; script-src \(own); img-src data:; base-uri 'none'; form-action 'none'"
    }
}

import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Converts placeholders of Bruno.
enum BrunoNames {
    static func template(_ text: String) -> TemplateText {
        text.utf8.contains(.openBrace) ? TemplateText(braced: text, meaning) : TemplateText(literal: text)
    }

    private static func meaning(_ content: String) -> TemplateText.Piece {
        if let generated = GeneratedNames.postman.placeholder(named: content) { return .placeholder(generated) }
        if content.hasPrefix("process.env.") {
            let variable = String(content.dropFirst("process.env.".count))
            if variable.isVariableName { return .placeholder("$env.\(variable)") }
        }
        return .placeholder(ParamNames.clean(content.hasPrefix("$") ? String(content.dropFirst()) : content))
    }

    /// A value of a variable: a number, a boolean or a text.
    static func value(_ text: String) -> OrderedJSON {
        let template = template(text)
        return template.literal.map { OrderedJSON.typed($0).escapingBraces } ?? .string(template.text)
    }
}

"use strict";

const vscode = require("vscode");
const answers = require("./answers");

/**
 * Registers what the editor asks the server for. `ask(method, params, token)` resolves to the result, or to null if there is none.
 * Returns what is to be disposed when the server ends.
 */
function register(ask, abilities, rootOf) {
  const files = { language: "reqcli", scheme: "file" };
  const { languages } = vscode;
  const named = (document) => ({ textDocument: { uri: document.uri.toString() } });
  const at = (document, position) => ({ ...named(document), position: answers.toPosition(position) });
  const all = (values, one) => (values ?? []).map(one);
  const registered = [
    languages.registerCompletionItemProvider(files, {
      async provideCompletionItems(document, position, token) {
        const found = await ask("textDocument/completion", at(document, position), token);
        return found && new vscode.CompletionList(found.items.map(answers.completionItem), found.isIncomplete);
      },
    }, ...abilities.completionProvider.triggerCharacters),
    languages.registerHoverProvider(files, {
      async provideHover(document, position, token) {
        const found = await ask("textDocument/hover", at(document, position), token);
        return found && new vscode.Hover(answers.markdown(found.contents), found.range && answers.range(found.range));
      },
    }),
    languages.registerDefinitionProvider(files, {
      async provideDefinition(document, position, token) {
        return all(await ask("textDocument/definition", at(document, position), token), answers.location);
      },
    }),
    languages.registerReferenceProvider(files, {
      async provideReferences(document, position, context, token) {
        const question = { ...at(document, position), context: { includeDeclaration: context.includeDeclaration } };
        return all(await ask("textDocument/references", question, token), answers.location);
      },
    }),
    languages.registerRenameProvider(files, {
      async prepareRename(document, position, token) {
        const found = await ask("textDocument/prepareRename", at(document, position), token, true);
        return found && { range: answers.range(found.range), placeholder: found.placeholder };
      },
      async provideRenameEdits(document, position, newName, token) {
        return answers.workspaceEdit(await ask("textDocument/rename", { ...at(document, position), newName }, token, true));
      },
    }),
    languages.registerDocumentFormattingEditProvider(files, {
      async provideDocumentFormattingEdits(document, options, token) {
        const question = { ...named(document), options: { tabSize: options.tabSize, insertSpaces: options.insertSpaces } };
        return answers.edits(await ask("textDocument/formatting", question, token));
      },
    }),
    languages.registerCodeActionsProvider(files, {
      async provideCodeActions(document, range, context, token) {
        const question = { ...named(document), range: answers.toRange(range), context: { diagnostics: [] } };
        return all(await ask("textDocument/codeAction", question, token), (value) => {
          const [edit, diagnostics] = [answers.workspaceEdit(value.edit), value.diagnostics.map(answers.diagnostic)];
          const action = new vscode.CodeAction(value.title, vscode.CodeActionKind.QuickFix);
          return Object.assign(action, { edit, diagnostics, isPreferred: value.isPreferred });
        });
      },
    }, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    languages.registerDocumentLinkProvider(files, {
      async provideDocumentLinks(document, token) {
        return all(await ask("textDocument/documentLink", named(document), token), (value) =>
          new vscode.DocumentLink(answers.range(value.range), vscode.Uri.parse(value.target)));
      },
    }),
    languages.registerDocumentSymbolProvider(files, {
      async provideDocumentSymbols(document, token) {
        return all(await ask("textDocument/documentSymbol", named(document), token), answers.documentSymbol);
      },
    }),
    languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query, token) {
        return all(await ask("workspace/symbol", { query }, token), (value) =>
          new vscode.SymbolInformation(value.name, value.kind - 1, value.containerName ?? "", answers.location(value.location)));
      },
    }),
  ];
  if (abilities.codeLensProvider) {
    const command = ({ title, command, arguments: [text] = [] }, uri) => ({ title, command, arguments: [text, rootOf(uri.fsPath), uri] });
    registered.push(languages.registerCodeLensProvider(files, {
      async provideCodeLenses(document, token) {
        return all(await ask("textDocument/codeLens", named(document), token), (value) =>
          Object.assign(new vscode.CodeLens(answers.range(value.range), value.command && command(value.command, document.uri)),
            { asked: value, uri: document.uri }));
      },
      // Only a lens that is shown asks for its curl command.
      async resolveCodeLens(lens, token) {
        const found = await ask("codeLens/resolve", lens.asked, token);
        return Object.assign(lens, { command: found && command(found.command, lens.uri) });
      },
    }));
  }
  if (abilities.semanticTokensProvider) {
    const { tokenTypes, tokenModifiers } = abilities.semanticTokensProvider.legend;
    registered.push(languages.registerDocumentSemanticTokensProvider(files, {
      async provideDocumentSemanticTokens(document, token) {
        const found = await ask("textDocument/semanticTokens/full", named(document), token);
        return found && new vscode.SemanticTokens(Uint32Array.from(found.data));
      },
    }, new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers)));
  }
  return registered;
}

module.exports = { register };

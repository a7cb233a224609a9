"use strict";

const vscode = require("vscode");

// The protocol's values as the editor's, and the other way round.

const toPosition = (position) => ({ line: position.line, character: position.character });
const toRange = (range) => ({ start: toPosition(range.start), end: toPosition(range.end) });
const range = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
const location = (value) => new vscode.Location(vscode.Uri.parse(value.uri), range(value.range));
const edits = (values) => (values ?? []).map((edit) => new vscode.TextEdit(range(edit.range), edit.newText));
const markdown = (content) =>
  content.kind === "markdown" ? new vscode.MarkdownString(content.value) : new vscode.MarkdownString().appendText(content.value);

function workspaceEdit(value) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, changes] of Object.entries(value?.changes ?? {})) edit.set(vscode.Uri.parse(uri), edits(changes));
  for (const change of value?.documentChanges ?? []) {
    if (change.kind === "rename") edit.renameFile(vscode.Uri.parse(change.oldUri), vscode.Uri.parse(change.newUri));
    else edit.set(vscode.Uri.parse(change.textDocument.uri), edits(change.edits));
  }
  return edit;
}

function diagnostic(problem) {
  // The protocol counts severities from 1, the editor from 0.
  const found = new vscode.Diagnostic(range(problem.range), problem.message, problem.severity - 1);
  found.code = problem.code;
  found.source = problem.source;
  found.tags = problem.tags;
  found.relatedInformation = problem.relatedInformation?.map(
    (note) => new vscode.DiagnosticRelatedInformation(location(note.location), note.message));
  return found;
}

function completionItem(value) {
  const item = new vscode.CompletionItem(value.label, value.kind - 1);
  item.detail = value.detail;
  item.sortText = value.sortText;
  item.filterText = value.filterText;
  item.range = range(value.textEdit.range);
  item.insertText = value.textEdit.newText;
  item.additionalTextEdits = value.additionalTextEdits && edits(value.additionalTextEdits);
  return item;
}

function documentSymbol(value) {
  const symbol = new vscode.DocumentSymbol(
    value.name, value.detail ?? "", value.kind - 1, range(value.range), range(value.selectionRange));
  symbol.children = (value.children ?? []).map(documentSymbol);
  return symbol;
}

module.exports = {
  toPosition, toRange, range, location, edits, markdown, workspaceEdit, diagnostic, completionItem, documentSymbol,
};

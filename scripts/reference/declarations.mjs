// Reads interfaces, type aliases, classes and their comments from source files, without a type checker.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** @returns the declarations of the files by name */
export function declarationsOf(files) {
  const found = new Map();
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const statement of source.statements) {
      const isNamed =
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement);
      if (isNamed && statement.name) found.set(statement.name.text, statement);
    }
  }
  return found;
}

/** The comment of a declaration: its text, and the text of each tag. */
export function commentOf(node) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const tags = {};
  for (const tag of ts.getJSDocTags(node)) {
    tags[tag.tagName.text] = oneLine(ts.getTextOfJSDocComment(tag.comment));
  }
  return { text: oneLine(ts.getTextOfJSDocComment(comments.at(-1)?.comment)), tags };
}

function oneLine(text) {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

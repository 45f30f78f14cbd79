// The page of a package's error codes: when each is raised, and its cure.
import ts from 'typescript';
import { commentOf } from './declarations.mjs';
import { GENERATED } from './sources.mjs';

/** @param declarations of declarationsOf() */
export function errorsPage(title, declarations) {
  const entries = [...declarations.values()].flatMap(entriesOf);
  const rows = entries.map(({ code, name, text, cure }) => {
    if (!text || !cure) {
      throw new Error(`${code} of ${title} has no ${text ? '@remarks with its cure' : 'comment'}.`);
    }
    return [`## ${code}`, `${name}${text}`, `**Cure:** ${cure}`].join('\n\n');
  });
  const intro = 'Codes are stable; messages may change. Each message also names the place.';
  return [GENERATED, `# Errors of ${title}`, intro, ...rows].join('\n\n') + '\n';
}

/** A class with a `code`, or the members of an interface of codes. */
function entriesOf(node) {
  if (ts.isClassDeclaration(node)) {
    const code = node.members.find((member) => member.name?.getText() === 'code')?.initializer
      ?.text;
    return code === undefined ? [] : [entryOf(code, `\`${node.name.text}\`. `, node)];
  }
  if (!/Codes$/.test(node.name.text)) return [];
  return node.members.map((member) =>
    entryOf(member.name.text, `HTTP ${member.type.getText()}. `, member),
  );
}

function entryOf(code, name, node) {
  const { text, tags } = commentOf(node);
  return { code, name, text, cure: tags.remarks };
}

import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, LineCounter, parse, parseDocument, stringify } from 'yaml';
import { BadConfigError } from '../cli.errors.js';
import { kindOf } from '../json.js';
import { type ConfigText, type OpenConfig, withLineEndsOf } from './config-text.js';

/**
 * Opens YAML. An edit inserts lines. If lines cannot be inserted, as in `{ a: 1 }`, the whole
 * document is printed again. Comments and quotes are kept, but a comment may move to the next line.
 */
export const openYaml: OpenConfig = (file, text): ConfigText => {
  const lines = new LineCounter();
  // Pretty errors contain text of the file. This text may be secret.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new BadConfigError(`${file}, line ${line},`, `is not valid YAML: ${error.message}`);
  }
  if (document.contents !== null && !isMap(document.contents)) {
    const kind = kindOf(document.toJS());
    throw new BadConfigError(file, `must have keys at its top level, but is ${kind}`);
  }
  return {
    find(path) {
      const node = document.getIn(path, true);
      if (node === undefined || !isNode(node)) return undefined;
      const value = node.toJS(document) as unknown;
      // A key without a value counts as an empty object.
      if (value === null) return undefined;
      return { value, line: lines.linePos(node.range?.[0] ?? 0).line };
    },
    set(path, value) {
      const inserted = document.hasIn(path)
        ? undefined
        : withLines(text, document, nested(path, value));
      setIn(document, path, value);
      const edited =
        inserted !== undefined && isDeepStrictEqual(parsed(inserted), document.toJS())
          ? inserted
          : document.toString({ lineWidth: 0, ...styleOf(text) });
      return withLineEndsOf(text, edited);
    },
  };
};

/**
 * Inserts an object. Its lines come after the last key of the deepest existing object. Returns
 * undefined if lines cannot be inserted there.
 */
function withLines(text: string, document: Document, value: object): string | undefined {
  let parent: unknown = document.contents;
  let inner = value;
  for (;;) {
    const [[key, below] = ['', undefined]] = Object.entries(inner) as [string, object][];
    const next = isMap(parent) ? parent.get(key, true) : undefined;
    if (!isMap(next)) break;
    parent = next;
    inner = below as object;
  }
  if (parent === null) return text.trimEnd() + (text.trim() && '\n') + linesOf(inner, text, '');
  if (!isMap(parent) || parent.flow || parent.items.length === 0 || !parent.range) return undefined;
  const [start, end] = parent.range;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const content = text.slice(0, end).trimEnd().length;
  const line = text.indexOf('\n', content);
  const at = line < 0 ? text.length : line + 1;
  const before = text.slice(0, at);
  return `${before}${before.endsWith('\n') ? '' : '\n'}${linesOf(inner, text, indent)}${text.slice(at)}`;
}

function linesOf(value: object, like: string, indent: string): string {
  const text = stringify(value, { lineWidth: 0, ...styleOf(like) });
  return text.replace(/^(?=.)/gm, indent);
}

function setIn(document: Document, path: readonly string[], value: object): void {
  const above = path.slice(0, -1);
  const parent = document.getIn(above);
  if (parent === null) document.setIn(above, document.createNode({}));
  // Writes an object in braces, such as {}, in several lines.
  else if (isMap(parent)) parent.flow = false;
  document.setIn(path, document.createNode(value));
}

function styleOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  return {
    indent: /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2,
    // Some programs do not indent the dashes of a list.
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text),
  };
}

function nested(path: readonly string[], value: object): object {
  return path.reduceRight<object>((inner, name) => ({ [name]: inner }), value);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

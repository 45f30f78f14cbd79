import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { BadConfigError } from '../cli.errors.js';
import { isObject, kindOf, readJson } from '../json.js';
import { type ConfigText, lineAt, type OpenConfig, withLineEndsOf } from './config-text.js';

/** Opens JSON without comments. Some clients reject comments. */
export const openJson: OpenConfig = (file, text) => {
  readJson(
    file,
    text,
    'The file was not changed. Correct the file, or write another file: --out FILE.',
  );
  return openJsonc(file, text);
};

/** Opens JSON with comments and trailing commas. Edits keep both. */
export const openJsonc: OpenConfig = (file, text): ConfigText => {
  const json = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    // The names of syntax errors, such as "CommaExpected".
    const fault = printParseErrorCode(error?.error as ParseErrorCode)
      .replace(/\B[A-Z]/g, ' $&')
      .toLowerCase();
    const line = lineAt(json, error?.offset ?? 0);
    throw new BadConfigError(`${file}, line ${line},`, `is not valid JSON: ${fault}`);
  }
  const value = valueOf(root);
  if (!isObject(value)) {
    throw new BadConfigError(file, `must be a JSON object, but is ${kindOf(value)}`);
  }
  return {
    find(path) {
      refuseDoubleKeys(file, json, root, path);
      const node = findNodeAtLocation(root, [...path]);
      return node && { value: valueOf(node), line: lineAt(json, node.offset) };
    },
    set: (path, entry) => withLineEndsOf(json, withValue(json, root, path, entry)),
  };
};

/**
 * Rejects duplicate keys. Clients read the last of these keys, but an edit would change the first.
 */
function refuseDoubleKeys(file: string, json: string, root: Node, path: readonly string[]): void {
  for (const [depth, key] of path.entries()) {
    const parent = findNodeAtLocation(root, path.slice(0, depth));
    const keys = parent?.type === 'object' ? (parent.children ?? []) : [];
    const [, second] = keys.filter(({ children }) => children?.[0]?.value === key);
    if (second === undefined) continue;
    const line = lineAt(json, second.offset);
    throw new BadConfigError(`${file}, line ${line},`, `has the key ${JSON.stringify(key)} twice`);
  }
}

/**
 * Converts a node to a value with JSON.parse. The objects of the library have no prototype, so they
 * are never deeply equal to other objects.
 */
function valueOf(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

function withValue(json: string, root: Node, path: readonly string[], value: object): string {
  const present = findNodeAtLocation(root, [...path]);
  const indent = /^([ \t]+)\S/m.exec(json)?.[1] ?? '  ';
  if (present !== undefined) {
    const text = printed(value, indent, lineIndentAt(json, present.offset));
    const end = present.offset + present.length;
    return json.slice(0, present.offset) + text + json.slice(end);
  }
  const above = path.slice(0, -1);
  const parent = above.length === 0 ? root : findNodeAtLocation(root, above);
  const key = path.at(-1) as string;
  if (parent === undefined) return withValue(json, root, above, asProperty(key, value));
  return withProperty(json, parent, { key, value, indent });
}

interface Property {
  readonly key: string;
  readonly value: object;
  readonly indent: string;
}

/**
 * Adds a property or element at the end of an object or array. If comments follow the last property
 * or element, they stay next to it.
 */
function withProperty(json: string, parent: Node, { key, value, indent }: Property): string {
  const brace = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const outer = lineIndentAt(json, parent.offset);
  const name = parent.type === 'array' ? '' : `${JSON.stringify(key)}: `;
  const text = `${outer}${indent}${name}${printed(value, indent, outer + indent)}`;
  const end = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const hasComma = last !== undefined && isCommaAfter(json, end, brace);
  const between = json.slice(end, brace).trimEnd();
  const comma = last === undefined || hasComma ? '' : ',';
  const tail = hasComma ? ',' : '';
  return `${json.slice(0, end)}${comma}${between}\n${text}${tail}\n${outer}${json.slice(brace)}`;
}

function isCommaAfter(json: string, from: number, to: number): boolean {
  const scanner = createScanner(json.slice(from, to), true);
  // The value 5 means a comma. The library declares a `declare const enum`, and isolated modules
  // cannot read such an enum.
  return (scanner.scan() as number) === 5;
}

function printed(value: object, indent: string, outer: string): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${outer}`);
}

/** Returns the white space at the start of the line that contains an offset. */
function lineIndentAt(json: string, offset: number): string {
  const start = json.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(json.slice(start, offset))?.[0] ?? '';
}

/** Returns an object with one own property. The name may be `__proto__`. */
function asProperty(key: string, value: object): object {
  return Object.fromEntries([[key, value]]);
}

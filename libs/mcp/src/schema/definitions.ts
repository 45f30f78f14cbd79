import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../decorators/author-schema.js';
import { isRecord, without } from './json-schema.js';
import { mapRefs, pointerTokens, refsIn } from './subschemas.js';

const PREFIX = '#/$defs/';

/**
 * The `$defs` of one tool. A class stands there once, whatever refers to it, and may refer to
 * itself; two classes of one name get two names (`Address`, `Address_2`).
 */
export class Definitions {
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly names = new Map<Type, string>();

  /** A reference to a class, which is described on its first use. */
  refTo(type: Type, describe: () => JsonSchema): JsonSchema {
    const known = this.names.get(type);
    if (known !== undefined) return { $ref: PREFIX + known };
    const name = this.freeName(type.name);
    this.names.set(type, name);
    this.schemas.set(name, {});
    this.schemas.set(name, describe());
    return { $ref: PREFIX + name };
  }

  /**
   * Takes in a whole schema document: its `$defs` move here, and its references follow them. A
   * document that refers to its own root gets a place of its own, for it will not stay the root.
   */
  adopt(document: JsonSchema, rootName: string): JsonSchema {
    const root = without(document, '$defs', '$schema', '$id');
    const own = isRecord(document['$defs']) ? Object.entries(document['$defs']) : [];
    const renamed = new Map<string, string>();
    for (const [name, schema] of own) {
      renamed.set(
        name,
        this.sameAsKnown(name, schema) ? name : this.reserve(/^\d|^_/.test(name) ? rootName : name),
      );
    }
    const rootRefs = refsIn(document).some((ref) => ref.startsWith('#') && !ref.startsWith(PREFIX));
    const home = rootRefs ? this.reserve(rootName) : '';
    const follow = (ref: string): string => {
      if (!ref.startsWith(PREFIX)) return /^#(\/|$)/.test(ref) ? PREFIX + home + ref.slice(1) : ref;
      const [, name = '', ...rest] = pointerTokens(ref);
      return [PREFIX + (renamed.get(name) ?? name), ...rest].join('/');
    };
    for (const [name, schema] of own) {
      const target = renamed.get(name);
      if (target !== undefined && isRecord(schema))
        this.schemas.set(target, mapRefs(schema, follow));
    }
    const adopted = mapRefs(root, follow);
    if (rootRefs) this.schemas.set(home, adopted);
    return adopted;
  }

  /** What a reference of this tool names. */
  resolve(ref: string): JsonSchema | undefined {
    return ref.startsWith(PREFIX) ? this.schemas.get(ref.slice(PREFIX.length)) : undefined;
  }

  /** The definitions a schema needs, itself or through others, in the order it meets them. */
  neededBy(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
    const needed = new Map<string, JsonSchema>();
    const open = [...refsIn(schema)];
    for (let ref = open.shift(); ref !== undefined; ref = open.shift()) {
      const [, name = ''] = pointerTokens(ref);
      const found = this.schemas.get(name);
      if (found === undefined || needed.has(name)) continue;
      needed.set(name, found);
      open.push(...refsIn(found));
    }
    return Object.fromEntries(needed);
  }

  private sameAsKnown(name: string, schema: unknown): boolean {
    const known = this.schemas.get(name);
    return (
      known !== undefined &&
      refsIn(known).length === 0 &&
      JSON.stringify(known) === JSON.stringify(schema)
    );
  }

  private reserve(wanted: string): string {
    const name = this.freeName(wanted);
    this.schemas.set(name, {});
    return name;
  }

  private freeName(wanted: string): string {
    const base = wanted.replaceAll(/[^A-Za-z0-9_.-]/g, '_') || 'Object';
    if (!this.schemas.has(base)) return base;
    for (let count = 2; ; count++) {
      if (!this.schemas.has(`${base}_${count}`)) return `${base}_${count}`;
    }
  }
}

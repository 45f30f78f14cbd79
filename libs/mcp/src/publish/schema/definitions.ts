import { isObject } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../decorators/author-schema.js';
import { without } from './json-schema.js';
import { mapRefs, pointerTokens, refsIn } from './subschemas.js';

const PREFIX = '#/$defs/';

/**
 * The `$defs` of one tool. Each class has one entry for all references. An entry may refer to
 * itself. Two classes with the same name get different names (`Address`, `Address_2`).
 */
export class Definitions {
  private readonly schemas = new Map<string, JsonSchema>();
  private readonly names = new Map<Type, string>();

  /** Returns a `$ref` to a class. `describe` builds the class's schema on first use. */
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
   * Adds a schema document and returns its root. Copies `$defs` of the document and updates the
   * references. If the document refers to its own root (`#`), the root also becomes a definition.
   * Otherwise, `#` would refer to the tool's schema.
   */
  adopt(document: JsonSchema, rootName: string): JsonSchema {
    const root = without(document, '$defs', '$schema', '$id');
    const own = isObject(document['$defs']) ? Object.entries(document['$defs']) : [];
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
      if (target !== undefined && isObject(schema))
        this.schemas.set(target, mapRefs(schema, follow));
    }
    const adopted = mapRefs(root, follow);
    if (rootRefs) this.schemas.set(home, adopted);
    return adopted;
  }

  /** Returns the definition for a reference, or undefined if there is none. */
  resolve(ref: string): JsonSchema | undefined {
    return ref.startsWith(PREFIX) ? this.schemas.get(ref.slice(PREFIX.length)) : undefined;
  }

  /**
   * Returns the definitions that a schema uses directly, then the definitions that these use, and
   * so on.
   */
  neededBy(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
    return definitionsNeededBy(schema, (name) => this.schemas.get(name));
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

/**
 * Returns the definitions that a schema uses directly, then the definitions that these use, and so
 * on.
 */
function definitionsNeededBy(
  schema: JsonSchema,
  find: (name: string) => JsonSchema | undefined,
): Readonly<Record<string, JsonSchema>> {
  const needed = new Map<string, JsonSchema>();
  const open = [...refsIn(schema)];
  for (let ref = open.shift(); ref !== undefined; ref = open.shift()) {
    const [, name = ''] = pointerTokens(ref);
    const found = find(name);
    if (found === undefined || needed.has(name)) continue;
    needed.set(name, found);
    open.push(...refsIn(found));
  }
  return Object.fromEntries(needed);
}

/** Removes definitions that the document no longer uses. */
export function withNeededDefinitions(document: JsonSchema): JsonSchema {
  const { $defs, ...schema } = document;
  // References to anchors and other locations are not followed.
  if (!isObject($defs) || refsIn(document).some((ref) => !ref.startsWith(PREFIX))) return document;
  const needed = definitionsNeededBy(schema, (name) =>
    Object.hasOwn($defs, name) && isObject($defs[name]) ? $defs[name] : undefined,
  );
  return { ...schema, ...(Object.keys(needed).length > 0 ? { $defs: needed } : {}) };
}

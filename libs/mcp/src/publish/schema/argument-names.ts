import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { McpToolExample } from '../../mcp-tool.options.js';
import { propertiesAnywhere } from './subschemas.js';
import type { OperationInput } from './operation-input.js';

/** Maximum characters of a name. */
const LONGEST = 64;

/**
 * Returns true if every client accepts the argument name. If a tool has an invalid argument name,
 * the Claude API rejects the whole request. `__proto__` cannot be validated.
 */
export function isArgumentName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(name) && name !== '__proto__';
}

/**
 * Assigns names to arguments. If several arguments have the same name, the first keeps the name.
 * The others get a suffix, such as `id__path`.
 */
export class ArgumentNames {
  private readonly taken = new Set<string>();

  /** @param reserved names that no renamed argument may take */
  constructor(private readonly reserved: ReadonlySet<string>) {}

  /** @param place suffix for a name that is already used */
  nameOf(name: string, place: string): string {
    const isAccepted = isArgumentName(name);
    const wanted = isAccepted ? name : acceptedName(name);
    const isFree = (candidate: string) =>
      !this.taken.has(candidate) && (isAccepted || !this.reserved.has(candidate));
    const found = isFree(wanted) ? wanted : suffixed(wanted, `__${place}`, isFree);
    this.taken.add(found);
    return found;
  }
}

/**
 * Converts a name to an accepted one: `page[size]` becomes `page_size`, `ids[]` becomes `ids`,
 * `$top` becomes `top`.
 */
function acceptedName(name: string): string {
  const accepted = name
    .replace(/[^A-Za-z0-9.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST);
  return accepted === '' ? 'argument' : accepted;
}

function suffixed(name: string, suffix: string, isFree: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? suffix : `${suffix}_${count}`;
    const candidate = `${name.slice(0, LONGEST - end.length)}${end}`;
    if (isFree(candidate)) return candidate;
  }
}

/** Returns a sentence for each argument whose name differs from its name in the request. */
export function renamesOf({ places }: OperationInput): readonly string[] {
  return places
    .filter(({ argument, name }) => argument !== name)
    .map(({ argument, target, name }) => {
      const why = isArgumentName(name)
        ? 'another argument already has this name'
        : 'clients reject the original name';
      return `the ${target} parameter "${name}" is published as the argument "${argument}", because ${why}`;
    });
}

/** Returns the argument name for a name in the request: `page_size` for `page[size]`. */
export function argumentFor({ places }: Pick<OperationInput, 'places'>, name: string): string {
  if (places.some(({ argument }) => argument === name)) return name;
  return places.find((place) => place.name === name)?.argument ?? name;
}

/** Returns examples in which the names of the arguments are replaced. */
export function examplesOf(
  examples: readonly McpToolExample[],
  places: OperationInput['places'],
): readonly object[] {
  return examples.map(({ args }) =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [argumentFor({ places }, name), value]),
    ),
  );
}

const SAME_VALUE = ['if', 'then', 'else', 'not'];
const SAME_VALUE_LISTS = ['allOf', 'anyOf', 'oneOf'];

/**
 * Renames arguments in a schema and in its branches. The target of a reference may be used
 * elsewhere. So a copy of the target is renamed and added to `allOf`.
 */
export function renamedProperties(
  written: JsonSchema,
  names: ReadonlyMap<string, string>,
  resolve: (ref: string) => unknown,
): JsonSchema {
  const schema = withoutReference(written, names, resolve);
  const newName = (name: string) => names.get(name) ?? name;
  const inside = (value: unknown) =>
    isObject(value) ? renamedProperties(value, names, resolve) : value;
  const keys = (value: unknown, change: (inner: unknown) => unknown) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [newName(name), change(inner)]),
        )
      : value;
  const list = (value: unknown) =>
    Array.isArray(value)
      ? value.map((name: unknown) => (typeof name === 'string' ? newName(name) : name))
      : value;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (keyword === 'properties') return [keyword, keys(value, (inner) => inner)];
      if (keyword === 'required') return [keyword, list(value)];
      if (keyword === 'dependentRequired') return [keyword, keys(value, list)];
      if (keyword === 'dependentSchemas') return [keyword, keys(value, inside)];
      if (SAME_VALUE.includes(keyword)) return [keyword, inside(value)];
      if (SAME_VALUE_LISTS.includes(keyword) && Array.isArray(value)) {
        return [keyword, value.map(inside)];
      }
      return [keyword, value];
    }),
  );
}

/**
 * If the target of a reference has one of the properties, replaces the reference with a copy of the
 * target.
 */
function withoutReference(
  schema: JsonSchema,
  names: ReadonlyMap<string, string>,
  resolve: (ref: string) => unknown,
): JsonSchema {
  const { $ref, allOf, ...rest } = schema;
  const target = typeof $ref === 'string' ? resolve($ref) : undefined;
  if (!isObject(target)) return schema;
  // A schema that contains itself directly, without a property in between, would accept no value.
  const found = propertiesAnywhere(target, resolve);
  if (![...found.keys()].some((name) => names.get(name) !== name && names.has(name))) return schema;
  return { ...rest, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), target] };
}

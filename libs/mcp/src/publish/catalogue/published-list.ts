import { eventJson } from '@fledge/core/packages';
import type { McpRequest } from '../../options/auth-options.js';
import type { McpCoreOptions } from '../../mcp.options.js';
import type { StructuredForm } from '../schema/output-schema.js';
import type { ListEntry } from './list-entry.js';
import type { Operation } from './operation.js';

/** The variant of a list that one kind of client receives. */
export interface ListForm {
  /** The format of structured content that the clients support. */
  readonly structured: StructuredForm;
  /**
   * Names of the extensions that change entries for these clients, in the order in which they run.
   */
  readonly kinds: readonly string[];
}

/** Maps the key of a list variant to a value for this variant. */
type ByForm<Value> = ReadonlyMap<string, Value>;

function keyOfForm({ structured, kinds }: ListForm): string {
  return [structured, ...kinds].join(' ');
}

/**
 * Returns all variants of a list.
 * @param kinds names of the extensions that change entries for some clients
 */
function formsOf(kinds: readonly string[]): readonly ListForm[] {
  const sets = kinds.reduce<string[][]>(
    (found, kind) => [...found, ...found.map((set) => [...set, kind])],
    [[]],
  );
  return (['object', 'json'] as const).flatMap((structured) =>
    sets.map((set) => ({ structured, kinds: set })),
  );
}

export type { ListEntry };

/** Defines how items of one kind, for example tools, are identified and listed. */
export interface Kind<Item> {
  /** Name of the list in a result, such as `tools`. */
  readonly member: string;
  /** Returns the name or URI by which clients request an item. It is unique within the kind. */
  keyOf(item: Item): string;
  /**
   * Returns the list entry of an item for one variant. Returns undefined if the variant omits the
   * item.
   */
  listed(item: Item, form: ListForm): ListEntry | undefined;
  /**
   * Creates the error for two items with the same key. `first` and `second` are the names of the
   * methods that declare the items.
   */
  duplicate(key: string, first: string, second: string): Error;
}

const INHERITED =
  ' (the same inherited method: override the method in one of the classes, or remove the name in ' +
  'the base class)';

/** Decides whether a caller may see an item. */
export type Visible = NonNullable<McpCoreOptions['visible']>;

/** The argument that `visible` receives. */
export type Definition = Parameters<Visible>[0];

/** Returns a promise only if `visible` must be called. */
export type Awaitable<Value> = Value | Promise<Value>;

/** The JSON of a list result in UTF-8. It can be sent as an event without changes. */
export type ListJson = Buffer;

/** Decides which items of a list a caller sees, and the size of a page. */
export interface ListOptions {
  readonly visible?: Visible | undefined;
  /** Maximum number of items in a page. */
  readonly pageSize: number;
}

interface Entry<Item> {
  readonly key: string;
  /** Undefined if an extension added the entry. */
  readonly item: Item | undefined;
  /** Undefined if every caller sees the entry. */
  readonly definition: Definition | undefined;
  /**
   * The JSON of the entry in each variant. An empty string means that the variant omits the entry.
   */
  readonly json: ByForm<string>;
}

/** A list entry without an item, added by an extension. */
export interface AddedEntry {
  readonly key: string;
  readonly entry: ListEntry;
  /** The argument that `visible` receives. If undefined, every caller sees the entry. */
  readonly definition: Definition | undefined;
}

/** What extensions add to a list or change in it. */
interface Additions {
  /** Entries to append to the list. */
  readonly added: readonly AddedEntry[];
  /** Names of the extensions that list different entries for some clients. */
  readonly kinds: readonly string[];
  /** Removes unwanted characters from the JSON of an entry. Undefined: nothing is removed. */
  readonly clean: ((json: string) => string) | undefined;
}

/**
 * All published items of one kind. The list is fixed at startup. Each item is serialized to JSON
 * once.
 */
export class PublishedList<Item extends Operation & Definition> {
  private readonly items: ReadonlyMap<string, Item>;
  private readonly kinds: readonly string[];
  private readonly entries: readonly Entry<Item>[];
  private readonly forms: readonly ListForm[];
  private readonly firstPage: ByForm<ListJson>;

  constructor(
    private readonly kind: Kind<Item>,
    items: readonly Item[],
    private readonly options: ListOptions,
    { added, kinds, clean }: Additions = { added: [], kinds: [], clean: undefined },
  ) {
    this.kinds = kinds;
    this.forms = formsOf(kinds);
    const byKey = new Map<string, Item>();
    for (const item of items) {
      const key = kind.keyOf(item);
      const first = byKey.get(key);
      if (first) {
        const inherited = first.route.handler === item.route.handler ? INHERITED : '';
        throw kind.duplicate(key, first.route.label, item.route.label + inherited);
      }
      byKey.set(key, item);
    }
    this.items = byKey;
    this.entries = [
      ...[...byKey]
        .map(([key, item]) => ({
          key,
          item,
          definition: item,
          json: this.inForms((form) => jsonOf(kind.listed(item, form), clean)),
        }))
        // `visible` is not called for an item that no client receives.
        .filter(({ json }) => [...json.values()].some((each) => each !== '')),
      ...added.map(({ key, entry, definition }) => ({
        key,
        item: undefined,
        definition,
        json: this.inForms(() => jsonOf(entry, clean)),
      })),
    ];
    this.firstPage = this.inForms((form) => this.pageOf(this.entries, keyOfForm(form)));
  }

  /** True if different callers may see different items. */
  get isFiltered(): boolean {
    return this.options.visible !== undefined;
  }

  get all(): readonly Item[] {
    return [...this.items.values()];
  }

  /** Returns the entries of one variant, on all pages. */
  entriesFor(form: ListForm): readonly ListEntry[] {
    const key = this.keyFor(form);
    const listed = this.entries.map(({ json }) => json.get(key)).filter((json) => json);
    return listed.map((json) => JSON.parse(String(json)) as ListEntry);
  }

  /** Returns a list with the same items and other entries. */
  changed(listed: Kind<Item>['listed'], additions: Additions): PublishedList<Item> {
    return new PublishedList({ ...this.kind, listed }, this.all, this.options, additions);
  }

  /**
   * Returns the JSON of the first page that the caller may see. If `visible` is not set, all
   * callers share this JSON.
   */
  json(request: McpRequest, form: ListForm): Awaitable<ListJson> {
    const key = this.keyFor(form);
    if (this.options.visible === undefined) return this.firstPage.get(key) as ListJson;
    return this.seenBy(request).then((entries) => this.pageOf(entries, key));
  }

  /**
   * Returns the JSON of the page for a `nextCursor`. Returns undefined if the cursor is invalid or
   * points to an item that is hidden from the caller.
   */
  async page(request: McpRequest, cursor: string, form: ListForm): Promise<ListJson | undefined> {
    const entries = await this.seenBy(request);
    const last = entries.findIndex((entry) => cursorTo(entry.key) === cursor);
    return last === -1 ? undefined : this.pageOf(entries.slice(last + 1), this.keyFor(form));
  }

  /** Finds an item by key. Returns undefined if it does not exist or is hidden from the caller. */
  find(key: string, request: McpRequest): Awaitable<Item | undefined> {
    const item = this.items.get(key);
    if (item === undefined || this.options.visible === undefined) return item;
    return this.isVisible(item, request).then((seen) => (seen ? item : undefined));
  }

  /**
   * Returns true if the caller may see an item.
   * @param definition if undefined, every caller sees the item
   */
  async isVisible(definition: Definition | undefined, request: McpRequest): Promise<boolean> {
    const { visible } = this.options;
    if (visible === undefined || definition === undefined) return true;
    return visible(definition, request);
  }

  /** Returns the key of a variant. Ignores extensions that do not change entries of this list. */
  private keyFor({ structured, kinds }: ListForm): string {
    if (kinds.length === 0) return structured;
    return keyOfForm({ structured, kinds: kinds.filter((kind) => this.kinds.includes(kind)) });
  }

  /** Creates a value for each variant. Equal values share memory. */
  private inForms<Value extends string | Buffer>(
    valueOf: (form: ListForm) => Value,
  ): ByForm<Value> {
    const first = valueOf(this.forms[0] as ListForm);
    return new Map(
      this.forms.map((form) => {
        const value = valueOf(form);
        return [keyOfForm(form), value.toString() === first.toString() ? first : value];
      }),
    );
  }

  private async seenBy(request: McpRequest): Promise<readonly Entry<Item>[]> {
    const seen = await Promise.all(
      this.entries.map(({ definition }) => this.isVisible(definition, request)),
    );
    return this.entries.filter((_, i) => seen[i]);
  }

  /** Builds the first page of the entries, with a cursor if there are more. */
  private pageOf(entries: readonly Entry<Item>[], form: string): ListJson {
    const listed = entries.filter(({ json }) => json.get(form) !== '');
    const page = listed.slice(0, this.options.pageSize);
    const last = page.length < listed.length ? page.at(-1) : undefined;
    const items = `"${this.kind.member}":[${page.map(({ json }) => json.get(form)).join(',')}]`;
    return Buffer.from(last ? `{${items},"nextCursor":"${cursorTo(last.key)}"}` : `{${items}}`);
  }
}

/** Returns the JSON of an entry, safe for event streams. Empty if the entry is undefined. */
function jsonOf(entry: ListEntry | undefined, clean: Additions['clean']): string {
  if (entry === undefined) return '';
  const json = JSON.stringify(entry);
  return eventJson(clean ? clean(json) : json);
}

/**
 * Returns the cursor for the items after this key. The cursor is valid in all processes of an
 * application.
 */
function cursorTo(key: string): string {
  return Buffer.from(key).toString('base64url');
}

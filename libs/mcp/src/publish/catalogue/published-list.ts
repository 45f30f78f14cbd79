import { eventJson } from '@fledge/core/packages';
import type { McpRequest } from '../../options/auth-options.js';
import type { McpCoreOptions } from '../../mcp.options.js';
import type { StructuredForm } from '../schema/output-schema.js';
import type { ListEntry } from './list-entry.js';
import type { Operation } from './operation.js';

/** For which clients a list is. */
export interface ListForm {
  /** What they take as structured content. */
  readonly structured: StructuredForm;
  /** Names of the extensions that list other entries for them, in the order of the extensions. */
  readonly kinds: readonly string[];
}

/** The forms of a list by their keys: a list is stored once for each. */
type ByForm<Value> = ReadonlyMap<string, Value>;

function keyOfForm({ structured, kinds }: ListForm): string {
  return [structured, ...kinds].join(' ');
}

/** The forms of a list, for clients of any of these kinds. */
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

/** How items of one kind (tools, for example) are identified and listed. */
export interface Kind<Item> {
  /** Name of the list in a result: `tools`. */
  readonly member: string;
  /** The key by which clients request an item: a name or URI, unique within its kind. */
  keyOf(item: Item): string;
  /** The entry of an item in a list result, for these clients. Undefined: they do not get it. */
  listed(item: Item, form: ListForm): ListEntry | undefined;
  /** The error for two items with one key. `first` and `second` name their methods. */
  duplicate(key: string, first: string, second: string): Error;
}

/** Decides whether a caller may see an item. */
export type Visible = NonNullable<McpCoreOptions['visible']>;

/** What `visible` gets. */
export type Definition = Parameters<Visible>[0];

/** A value, or a promise if `visible` must be called. Without `visible`, no promise is created. */
export type Awaitable<Value> = Value | Promise<Value>;

/** JSON of a list result, in UTF-8, which may be sent as an event as it is. */
export type ListJson = Buffer;

/** Which items of a list a caller sees, and in pages of which size. */
export interface ListOptions {
  readonly visible?: Visible | undefined;
  /** Maximum number of items in a page. */
  readonly pageSize: number;
}

interface Entry<Item> {
  readonly key: string;
  /** Undefined: an extension added the entry. */
  readonly item: Item | undefined;
  /** Undefined: every caller sees the entry. */
  readonly definition: Definition | undefined;
  /** Empty: clients of the form do not get it. */
  readonly json: ByForm<string>;
}

/** An entry of a list that has no item. */
export interface AddedEntry {
  readonly key: string;
  readonly entry: ListEntry;
  /** What `visible` gets. Undefined: every caller sees the entry. */
  readonly definition: Definition | undefined;
}

/** What extensions add to a list. */
interface Additions {
  /** Entries behind the items. */
  readonly added: readonly AddedEntry[];
  /** Names of the extensions that list other entries for some clients. */
  readonly kinds: readonly string[];
}

/** All published items of one kind, fixed at boot. Each is serialized to JSON once. */
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
    { added, kinds }: Additions = { added: [], kinds: [] },
  ) {
    this.kinds = kinds;
    this.forms = formsOf(kinds);
    const byKey = new Map<string, Item>();
    for (const item of items) {
      const key = kind.keyOf(item);
      const first = byKey.get(key);
      if (first) throw kind.duplicate(key, first.route.label, item.route.label);
      byKey.set(key, item);
    }
    this.items = byKey;
    this.entries = [
      ...[...byKey]
        .map(([key, item]) => ({
          key,
          item,
          definition: item,
          json: this.inForms((form) => jsonOf(kind.listed(item, form))),
        }))
        // `visible` is not called for an item that no client gets.
        .filter(({ json }) => [...json.values()].some((each) => each !== '')),
      ...added.map(({ key, entry, definition }) => ({
        key,
        item: undefined,
        definition,
        json: this.inForms(() => jsonOf(entry)),
      })),
    ];
    this.firstPage = this.inForms((form) => this.pageOf(this.entries, keyOfForm(form)));
  }

  /** True if callers may see different items. */
  get isFiltered(): boolean {
    return this.options.visible !== undefined;
  }

  get all(): readonly Item[] {
    return [...this.items.values()];
  }

  /** The entries that clients of a form get, in all pages. */
  entriesFor(form: ListForm): readonly ListEntry[] {
    const key = this.keyFor(form);
    const listed = this.entries.map(({ json }) => json.get(key)).filter((json) => json);
    return listed.map((json) => JSON.parse(String(json)) as ListEntry);
  }

  /** A list of these items with other entries. */
  changed(listed: Kind<Item>['listed'], additions: Additions): PublishedList<Item> {
    return new PublishedList({ ...this.kind, listed }, this.all, this.options, additions);
  }

  /** JSON of the first page of the items that the caller may see. Without `visible` it is shared. */
  json(request: McpRequest, form: ListForm): Awaitable<ListJson> {
    const key = this.keyFor(form);
    if (this.options.visible === undefined) return this.firstPage.get(key) as ListJson;
    return this.seenBy(request).then((entries) => this.pageOf(entries, key));
  }

  /**
   * JSON of the page that `nextCursor` of another page leads to. Undefined for a cursor that no page has,
   * or that leads behind an item which the caller may not see.
   */
  async page(request: McpRequest, cursor: string, form: ListForm): Promise<ListJson | undefined> {
    const entries = await this.seenBy(request);
    const last = entries.findIndex((entry) => cursorTo(entry.key) === cursor);
    return last === -1 ? undefined : this.pageOf(entries.slice(last + 1), this.keyFor(form));
  }

  /** Finds an item by key. Undefined if it does not exist or is hidden from the caller. */
  find(key: string, request: McpRequest): Awaitable<Item | undefined> {
    const item = this.items.get(key);
    if (item === undefined || this.options.visible === undefined) return item;
    return this.isVisible(item, request).then((seen) => (seen ? item : undefined));
  }

  /** @param definition undefined: every caller sees the item */
  async isVisible(definition: Definition | undefined, request: McpRequest): Promise<boolean> {
    const { visible } = this.options;
    if (visible === undefined || definition === undefined) return true;
    return visible(definition, request);
  }

  /** Clients of kinds that the list does not know get what others get. */
  private keyFor({ structured, kinds }: ListForm): string {
    if (kinds.length === 0) return structured;
    return keyOfForm({ structured, kinds: kinds.filter((kind) => this.kinds.includes(kind)) });
  }

  /** Makes a value for each form. Equal ones are kept once. */
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

  /** The first items of a list, and a cursor if there are more. */
  private pageOf(entries: readonly Entry<Item>[], form: string): ListJson {
    const listed = entries.filter(({ json }) => json.get(form) !== '');
    const page = listed.slice(0, this.options.pageSize);
    const last = page.length < listed.length ? page.at(-1) : undefined;
    const items = `"${this.kind.member}":[${page.map(({ json }) => json.get(form)).join(',')}]`;
    return Buffer.from(last ? `{${items},"nextCursor":"${cursorTo(last.key)}"}` : `{${items}}`);
  }
}

/** The JSON of an entry, for events too. Empty for undefined. */
function jsonOf(entry: ListEntry | undefined): string {
  return entry === undefined ? '' : eventJson(JSON.stringify(entry));
}

/** The cursor of the items behind one. Made of its key, it holds in each process of an application. */
function cursorTo(key: string): string {
  return Buffer.from(key).toString('base64url');
}

import { eventJson } from '@fledge/core/packages';
import type { McpRequest } from '../options/auth-options.js';
import type { McpCoreOptions } from '../mcp.options.js';
import type { StructuredForm } from '../schema/output-schema.js';
import type { Operation } from './operation.js';

/** For which clients a list is. */
export interface ListForm {
  /** What they take as structured content. */
  readonly structured: StructuredForm;
  /** True if they show pages. */
  readonly pages: boolean;
}

/** The forms by their keys: a list is stored once for each. */
const FORMS = {
  object: { structured: 'object', pages: false },
  json: { structured: 'json', pages: false },
  objectPages: { structured: 'object', pages: true },
  jsonPages: { structured: 'json', pages: true },
} as const satisfies Record<string, ListForm>;

type FormKey = keyof typeof FORMS;

function keyOfForm({ structured, pages }: ListForm): FormKey {
  return pages ? `${structured}Pages` : structured;
}

/** An item as a list result returns it. */
export interface ListEntry {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

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

type Definition = Parameters<Visible>[0];

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
  /** Undefined: every caller sees the entry. */
  readonly item: Item | undefined;
  /** Empty: clients of the form do not get it. */
  readonly json: Readonly<Record<FormKey, string>>;
}

/** All published items of one kind, fixed at boot. Each is serialized to JSON once. */
export class PublishedList<Item extends Operation & Definition> {
  private readonly items: ReadonlyMap<string, Item>;
  private readonly entries: readonly Entry<Item>[];
  private readonly firstPage: Readonly<Record<FormKey, ListJson>>;

  /** @param fixed entries behind the items, which every caller sees */
  constructor(
    private readonly kind: Kind<Item>,
    items: readonly Item[],
    private readonly options: ListOptions,
    fixed: readonly { readonly name: string }[] = [],
  ) {
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
          json: inForms((form) => jsonOf(kind.listed(item, FORMS[form]))),
        }))
        // `visible` is not called for an item that no client gets.
        .filter(({ json }) => Object.values(json).some((each) => each !== '')),
      ...fixed.map((entry) => ({
        key: entry.name,
        item: undefined,
        json: inForms(() => jsonOf(entry)),
      })),
    ];
    this.firstPage = inForms((form) => this.pageOf(this.entries, form));
  }

  get all(): readonly Item[] {
    return [...this.items.values()];
  }

  /** The items that some clients get. */
  get shown(): readonly Item[] {
    return this.entries.flatMap(({ item }) => item ?? []);
  }

  /** A list of these items with other entries, and with entries that every caller sees behind them. */
  changed(
    listed: Kind<Item>['listed'],
    fixed: readonly { readonly name: string }[],
  ): PublishedList<Item> {
    return new PublishedList({ ...this.kind, listed }, this.all, this.options, fixed);
  }

  /** JSON of the first page of the items that the caller may see. Without `visible` it is shared. */
  json(request: McpRequest, form: ListForm): Awaitable<ListJson> {
    const key = keyOfForm(form);
    if (this.options.visible === undefined) return this.firstPage[key];
    return this.seenBy(request).then((entries) => this.pageOf(entries, key));
  }

  /**
   * JSON of the page that `nextCursor` of another page leads to. Undefined for a cursor that no page has,
   * or that leads behind an item which the caller may not see.
   */
  async page(request: McpRequest, cursor: string, form: ListForm): Promise<ListJson | undefined> {
    const entries = await this.seenBy(request);
    const last = entries.findIndex((entry) => cursorTo(entry.key) === cursor);
    return last === -1 ? undefined : this.pageOf(entries.slice(last + 1), keyOfForm(form));
  }

  /** Finds an item by key. Undefined if it does not exist or is hidden from the caller. */
  find(key: string, request: McpRequest): Awaitable<Item | undefined> {
    const item = this.items.get(key);
    if (item === undefined || this.options.visible === undefined) return item;
    return this.isVisible(item, request).then((seen) => (seen ? item : undefined));
  }

  async isVisible(item: Item, request: McpRequest): Promise<boolean> {
    return this.options.visible === undefined || (await this.options.visible(item, request));
  }

  private async seenBy(request: McpRequest): Promise<readonly Entry<Item>[]> {
    const seen = await Promise.all(
      this.entries.map(
        async ({ item }) => item === undefined || (await this.isVisible(item, request)),
      ),
    );
    return this.entries.filter((_, i) => seen[i]);
  }

  /** The first items of a list, and a cursor if there are more. */
  private pageOf(entries: readonly Entry<Item>[], form: FormKey): ListJson {
    const listed = entries.filter(({ json }) => json[form] !== '');
    const page = listed.slice(0, this.options.pageSize);
    const last = page.length < listed.length ? page.at(-1) : undefined;
    const items = `"${this.kind.member}":[${page.map(({ json }) => json[form]).join(',')}]`;
    return Buffer.from(last ? `{${items},"nextCursor":"${cursorTo(last.key)}"}` : `{${items}}`);
  }
}

/** The JSON of an entry, for events too. Empty for undefined. */
function jsonOf(entry: ListEntry | undefined): string {
  return entry === undefined ? '' : eventJson(JSON.stringify(entry));
}

/** Makes a value for each form. Equal ones are kept once. */
function inForms<Value extends string | Buffer>(
  valueOf: (form: FormKey) => Value,
): Readonly<Record<FormKey, Value>> {
  const object = valueOf('object');
  const other = (form: FormKey) => {
    const value = valueOf(form);
    return value.toString() === object.toString() ? object : value;
  };
  return {
    object,
    json: other('json'),
    objectPages: other('objectPages'),
    jsonPages: other('jsonPages'),
  };
}

/** The cursor of the items behind one. Made of its key, it holds in each process of an application. */
function cursorTo(key: string): string {
  return Buffer.from(key).toString('base64url');
}

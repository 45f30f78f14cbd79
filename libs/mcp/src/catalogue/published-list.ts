import type { McpRequest } from '../options/auth-options.js';
import type { McpAdapterOptions } from '../mcp.options.js';
import type { StructuredForm } from '../schema/output-schema.js';
import type { Operation } from './operation.js';

/** How items of one kind (tools, for example) are identified and listed. */
export interface Kind<Item> {
  /** Name of the list in a result: `tools`. */
  readonly member: string;
  /** The key by which clients request an item: a name or URI, unique within its kind. */
  keyOf(item: Item): string;
  /** The entry of an item in a list result, for clients that take structured content in this form. */
  listed(item: Item, form: StructuredForm): object;
  /** The error for two items with one key. `first` and `second` name their methods. */
  duplicate(key: string, first: string, second: string): Error;
}

/** Decides whether a caller may see an item. */
export type Visible = NonNullable<McpAdapterOptions['visible']>;

type Definition = Parameters<Visible>[0];

/** A value, or a promise if `visible` must be called. Without `visible`, no promise is created. */
export type Awaitable<Value> = Value | Promise<Value>;

/** JSON of a list result, in UTF-8. */
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
  readonly json: Readonly<Record<StructuredForm, string>>;
}

/** All published items of one kind, fixed at boot. Each is serialized to JSON once. */
export class PublishedList<Item extends Operation & Definition> {
  private readonly items: ReadonlyMap<string, Item>;
  private readonly entries: readonly Entry<Item>[];
  private readonly firstPage: Readonly<Record<StructuredForm, ListJson>>;

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
      ...[...byKey].map(([key, item]) => ({
        key,
        item,
        json: inForms((form) => JSON.stringify(kind.listed(item, form))),
      })),
      ...fixed.map((entry) => ({
        key: entry.name,
        item: undefined,
        json: inForms(() => JSON.stringify(entry)),
      })),
    ];
    this.firstPage = inForms((form) => this.pageOf(this.entries, form));
  }

  get all(): readonly Item[] {
    return [...this.items.values()];
  }

  /** A list of some of these items, with entries that every caller sees behind them. */
  part(
    items: readonly Item[],
    listed: Kind<Item>['listed'],
    fixed: readonly { readonly name: string }[],
  ): PublishedList<Item> {
    return new PublishedList({ ...this.kind, listed }, items, this.options, fixed);
  }

  /** JSON of the first page of the items that the caller may see. Without `visible` it is shared. */
  json(request: McpRequest, form: StructuredForm): Awaitable<ListJson> {
    if (this.options.visible === undefined) return this.firstPage[form];
    return this.seenBy(request).then((entries) => this.pageOf(entries, form));
  }

  /**
   * JSON of the page that `nextCursor` of another page leads to. Undefined for a cursor that no page has,
   * or that leads behind an item which the caller may not see.
   */
  async page(
    request: McpRequest,
    cursor: string,
    form: StructuredForm,
  ): Promise<ListJson | undefined> {
    const entries = await this.seenBy(request);
    const last = entries.findIndex((entry) => cursorTo(entry.key) === cursor);
    return last === -1 ? undefined : this.pageOf(entries.slice(last + 1), form);
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
  private pageOf(entries: readonly Entry<Item>[], form: StructuredForm): ListJson {
    const page = entries.slice(0, this.options.pageSize);
    const last = page.length < entries.length ? page.at(-1) : undefined;
    const items = `"${this.kind.member}":[${page.map(({ json }) => json[form]).join(',')}]`;
    return Buffer.from(last ? `{${items},"nextCursor":"${cursorTo(last.key)}"}` : `{${items}}`);
  }
}

/** Makes a value for each form. Equal ones are kept once. */
function inForms<Value extends string | Buffer>(
  valueOf: (form: StructuredForm) => Value,
): Readonly<Record<StructuredForm, Value>> {
  const object = valueOf('object');
  const json = valueOf('json');
  return { object, json: json.toString() === object.toString() ? object : json };
}

/** The cursor of the items behind one. Made of its key, it holds in each process of an application. */
function cursorTo(key: string): string {
  return Buffer.from(key).toString('base64url');
}

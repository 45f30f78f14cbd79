import type { McpAdapterOptions, McpRequest } from '../mcp.options.js';
import type { Operation } from './operation.js';

/** How items of one kind (tools, for example) are identified and listed. */
export interface Kind<Item> {
  /** Name of the list in a result: `tools`. */
  readonly member: string;
  /** The key by which clients request an item: a name or URI, unique within its kind. */
  keyOf(item: Item): string;
  /** The entry of an item in a list result. */
  listed(item: Item): object;
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

interface Entry<Item> {
  readonly item: Item;
  readonly json: string;
}

/** All published items of one kind, fixed at boot. Each is serialized to JSON once. */
export class PublishedList<Item extends Operation & Definition> {
  private readonly entries: ReadonlyMap<string, Entry<Item>>;
  private readonly whole: ListJson;

  constructor(
    private readonly kind: Kind<Item>,
    items: readonly Item[],
    private readonly visible: Visible | undefined,
  ) {
    const entries = new Map<string, Entry<Item>>();
    for (const item of items) {
      const key = kind.keyOf(item);
      const first = entries.get(key)?.item;
      if (first) throw kind.duplicate(key, first.route.label, item.route.label);
      entries.set(key, { item, json: JSON.stringify(kind.listed(item)) });
    }
    this.entries = entries;
    this.whole = this.listOf([...entries.values()]);
  }

  get all(): readonly Item[] {
    return [...this.entries.values()].map(({ item }) => item);
  }

  /** JSON of the list result with the items the caller may see. Without `visible` it is shared. */
  json(request: McpRequest): Awaitable<ListJson> {
    return this.visible === undefined ? this.whole : this.seenBy(request);
  }

  /** Finds an item by key. Undefined if it does not exist or is hidden from the caller. */
  find(key: string, request: McpRequest): Awaitable<Item | undefined> {
    const item = this.entries.get(key)?.item;
    if (item === undefined || this.visible === undefined) return item;
    return this.isVisible(item, request).then((seen) => (seen ? item : undefined));
  }

  async isVisible(item: Item, request: McpRequest): Promise<boolean> {
    return this.visible === undefined || (await this.visible(item, request));
  }

  private async seenBy(request: McpRequest): Promise<ListJson> {
    const entries = [...this.entries.values()];
    const seen = await Promise.all(entries.map(({ item }) => this.isVisible(item, request)));
    return this.listOf(entries.filter((_, i) => seen[i]));
  }

  private listOf(entries: readonly Entry<Item>[]): ListJson {
    return Buffer.from(`{"${this.kind.member}":[${entries.map(({ json }) => json).join(',')}]}`);
  }
}

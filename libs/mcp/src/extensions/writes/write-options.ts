import {
  callback,
  count,
  feature,
  filledText,
  group,
  kind,
  oneOf,
  type OptionTable,
  readBy,
  readOptions,
  type ReadOptions,
} from '@fledge-internal/options';
import { isStore } from '../../options/option-rules.js';
import type { McpWriteStore } from './write-store.js';

/** Module option for safe writes. */
export interface WritesOption {
  /** Required by tools with `confirm`, `idempotency` or `dryRun`. */
  readonly writes?: McpWriteOptions;
}

/** Options for tools with `confirm`, `idempotency` or `dryRun`. */
export interface McpWriteOptions {
  /**
   * The store of idempotency keys and used confirmations. With `redisWrites()` of
   * `@fledge/mcp/redis`, all processes of an application share the keys, and the keys survive a
   * restart.
   * @default the memory of this process
   */
  readonly store?: McpWriteStore;
  /**
   * Runs a function in a transaction and rolls it back if the function throws. A dry run always
   * throws at its end. Required if a tool has `dryRun`.
   * @default none
   */
  readonly transaction?: McpTransaction;
}

/** Runs a function in a transaction. After a rollback, rejects with the error of the function. */
export type McpTransaction = (run: () => Promise<void>) => Promise<unknown>;

/** Options of `@McpTool` for safe writes. */
export interface WriteToolOptions {
  /**
   * Requires a person to confirm each call before it runs. `true` shows the name and the arguments
   * of the tool; a string such as `Delete {title}?` is a question with argument values. A client
   * that cannot ask its user receives a token, and the call runs when it is repeated with the
   * token. The token proves that there was a second call, but not that a person confirmed it.
   * `'person'` rejects clients that cannot ask their user.
   * @default none
   */
  readonly confirm?: boolean | string | McpToolConfirm;
  /**
   * Adds the argument `idempotencyKey`. The route receives it as the header `Idempotency-Key`. If
   * several calls have the same key and arguments, only the first call runs. Later calls return the
   * first call's response.
   * @default false
   */
  readonly idempotency?: boolean | McpToolIdempotency;
  /**
   * Adds the argument `dryRun`. If it is true, the route runs in a transaction that is rolled back,
   * and the result shows what would change. Requires `McpModule.forRoot({ writes: { transaction }
   * })`.
   * @default false
   */
  readonly dryRun?: boolean;
}

/** Options for calls that must be confirmed. */
export interface McpToolConfirm {
  /**
   * The question. `{title}` is replaced with the argument `title`.
   * @default name and arguments of the tool
   */
  readonly message?: string;
  /**
   * `person`: clients that cannot ask their user are rejected. `client`: such clients receive a
   * token.
   * @default 'client'
   */
  readonly by?: 'client' | 'person';
}

/** Options for repeated calls of a tool. */
export interface McpToolIdempotency {
  /** Milliseconds for which a key and its response are stored. @default 86_400_000 */
  readonly ttlMs?: number;
  /**
   * The part that detects a repeated call. `server`: Fledge stores the response. `application`: the
   * route itself reads the header, for example in its transaction.
   * @default 'server'
   */
  readonly keptBy?: 'server' | 'application';
}

const WRITES = {
  store: kind<McpWriteStore>('a store with a connect() method, such as redisWrites()', isStore)
    .optional,
  transaction: callback<McpTransaction>().optional,
} satisfies OptionTable<McpWriteOptions>;

export const WRITES_OPTION = { writes: group(WRITES) } satisfies OptionTable<WritesOption>;

export type ResolvedWrites = ReadOptions<typeof WRITES>;

const CONFIRM = {
  message: filledText('a question').optional,
  by: oneOf('client', 'person').default('client'),
} satisfies OptionTable<McpToolConfirm>;

const IDEMPOTENCY = {
  ttlMs: count.default(86_400_000),
  keptBy: oneOf('server', 'application').default('server'),
} satisfies OptionTable<McpToolIdempotency>;

export type Confirm = ReadOptions<typeof CONFIRM>;
export type Idempotency = ReadOptions<typeof IDEMPOTENCY>;

export const WRITE_TOOL_OPTIONS = {
  confirm: readBy<boolean | string | McpToolConfirm, Confirm | undefined>((given, place) => {
    if (given === false) return undefined;
    if (given === true) return { message: undefined, by: 'client' };
    if (given === 'person') return { message: undefined, by: 'person' };
    if (typeof given !== 'string') {
      return readOptions(given, CONFIRM, place, "; or true, false, 'person' or a question");
    }
    // Otherwise, clients would show "Person" or "client" as the question.
    if (/^(person|client)$/i.test(given)) {
      throw place.wrong(given, "true, false, 'person' or a question");
    }
    return { message: CONFIRM.message.read(given, place), by: 'client' };
  }).optional,
  idempotency: feature<McpToolIdempotency, typeof IDEMPOTENCY>(IDEMPOTENCY),
  dryRun: kind<boolean>('true or false', (value) => typeof value === 'boolean').default(false),
} satisfies OptionTable<WriteToolOptions>;

export type ResolvedToolWrites = ReadOptions<typeof WRITE_TOOL_OPTIONS>;

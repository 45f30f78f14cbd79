import { objectOf } from '@fledge-internal/options';
import { Logger } from '@nestjs/common';
import { withArguments } from '../../publish/catalogue/added-arguments.js';
import type { ToolDraft } from '../../publish/catalogue/publishing-extension.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { ArgumentError, McpOptionError } from '../../mcp.errors.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import {
  ArgumentsFault,
  type AroundCall,
  type ExtendedEndpoint,
  type McpExtension,
  type ToolCall,
} from '../../serve/methods/extension.js';
import type { Peer } from '../../serve/call/peer.js';
import { without } from '../../publish/schema/json-schema.js';
import { connectedStore } from '../../options/option-rules.js';
import { CONFIRMATION, Confirmations, refuseUnknownPlaceholders } from './confirmation.js';
import { dryResult, runDry } from './dry-run.js';
import { MemoryWrites } from './memory-writes.js';
import { Repeats } from './repeats.js';
import {
  type Confirm,
  type Idempotency,
  type McpTransaction,
  type ResolvedToolWrites,
  type ResolvedWrites,
  WRITE_TOOL_OPTIONS,
  WRITES_OPTION,
  type WritesOption,
} from './write-options.js';

/** Name of the argument that contains the idempotency key. */
const KEY = 'idempotencyKey';
const DRY_RUN = 'dryRun';

/** The options of a tool. `dryRun` contains the function that runs a transaction. */
interface SafeTool {
  readonly confirm: Confirm | undefined;
  readonly idempotency: Idempotency | undefined;
  readonly dryRun: McpTransaction | undefined;
}

interface Services extends Pick<ExtendedEndpoint, 'tenants'> {
  readonly confirmations: Confirmations;
  readonly repeats: Repeats;
}

/** Adds confirmation, idempotency and dry runs to tools. */
export const writes: McpExtension<
  WritesOption['writes'],
  ResolvedWrites,
  ResolvedToolWrites,
  SafeTool
> = {
  name: 'writes',
  option: WRITES_OPTION.writes,
  scope: 'module',
  author: { tool: WRITE_TOOL_OPTIONS },

  publish: ({ transaction }) => ({
    tool(draft, { confirm, idempotency, dryRun }) {
      if (!confirm && !idempotency && !dryRun) return undefined;
      refuseReadOnly(draft, { idempotency, dryRun });
      if (confirm) refuseUnknownPlaceholders(confirm, argumentsOf(draft), draft.route.label);
      if (dryRun && !transaction) throw missingTransaction(draft);
      const added = {
        ...(confirm?.by === 'client' && { [CONFIRMATION]: CONFIRMATION_SCHEMA }),
        ...(idempotency && { [KEY]: KEY_SCHEMA }),
        ...(dryRun && { [DRY_RUN]: DRY_RUN_SCHEMA }),
      };
      return {
        data: { confirm, idempotency, dryRun: dryRun ? transaction : undefined },
        draft: { inputSchema: withArguments(draft, added, ADDED_BY) },
        ...(confirm && { entry: ASKS_A_PERSON }),
      };
    },
  }),

  async create({ store }, endpoint) {
    if (endpoint.data.size === 0) return undefined;
    const logger = new Logger('McpModule');
    if (!store && process.env['NODE_ENV'] === 'production') logger.warn(FORGETTING);
    const kept = store
      ? await connectedStore('writes', store.connect({ path: endpoint.path }), 'begin')
      : new MemoryWrites(() => logger.warn(TOO_MANY));
    const confirmations = new Confirmations(kept, endpoint.path);
    const repeats = new Repeats(kept, endpoint.path);
    return {
      around: (tool, safe) =>
        safely(tool, safe, { confirmations, repeats, tenants: endpoint.tenants }),
      close: () => kept.close(),
    };
  },
};

const FORGETTING =
  'Idempotency keys and used confirmations are stored in the memory of this process, so after a restart or in another process ' +
  'a repeated call runs again. Set McpModule.forRoot({ writes: { store: redisWrites({ client }) } }).';

const TOO_MANY =
  'There are too many idempotency keys in memory, so the oldest key was removed. Store the keys in ' +
  'Redis: McpModule.forRoot({ writes: { store: redisWrites({ client }) } }).';

function safely(
  tool: Tool,
  safe: SafeTool,
  { confirmations, repeats, tenants }: Services,
): AroundCall {
  const { confirm, idempotency, dryRun } = safe;
  const names = [confirm && CONFIRMATION, idempotency && KEY, dryRun && DRY_RUN];
  const own = names.filter((name) => name !== undefined);
  return async (given, next) => {
    const { args, token, key, isDry } = readArguments(given.args, own);
    const call: ToolCall = { ...given, args };
    const unconfirmed = { ...call, tool, token };
    const isTried = isDry && dryRun !== undefined;
    const isKept = key !== undefined && idempotency?.keptBy === 'server';
    // The dispatcher validates the arguments of all other calls.
    if (confirm || isKept || isTried) refuseInvalid(tool, args);
    if (isTried) {
      // The transaction starts before the route has found its tenant.
      const transaction: McpTransaction = (run) =>
        tenants.run(call.peer.caller.origin, () => dryRun(run));
      const answer = await runDry(transaction, (scope) => next({ ...call, route: { scope } }));
      if (answer.kind !== 'result') return answer;
      const confirmation = confirm && (await confirmations.tokenFor(unconfirmed, confirm));
      return { ...answer, result: dryResult(answer.result, confirmation) };
    }
    const ask = confirm && (() => confirmations.confirm(unconfirmed, confirm));
    const route = key === undefined ? undefined : { headers: ['idempotency-key', key] };
    const run = (peer: Peer) => next({ ...call, peer, ...(route && { route }) });
    if (!isKept) return (await ask?.()) ?? run(call.peer);
    // Includes the arguments of other extensions, which change the response.
    const compared = without(given.sent, ...own);
    return repeats.run({ ...call, compared, tool, key, ttlMs: idempotency.ttlMs }, ask, run);
  };
}

/**
 * Separates two kinds of arguments: the arguments of the route, and the arguments that this
 * extension added.
 * @param own names of the added arguments
 */
function readArguments(sent: JsonObject, own: readonly string[]) {
  const read = (name: string) => (own.includes(name) ? (sent[name] ?? undefined) : undefined);
  const [token, key, isDry] = [read(CONFIRMATION), read(KEY), read(DRY_RUN)];
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key))) {
    throw new ArgumentsFault(`/${KEY} must be 1 to 255 visible ASCII characters without spaces.`);
  }
  if (isDry !== undefined && typeof isDry !== 'boolean') {
    throw new ArgumentsFault(`/${DRY_RUN} must be true or false.`);
  }
  return { args: without(sent, ...own), token, key, isDry: isDry === true };
}

/**
 * Validates the arguments early: before the user must answer, before a key is stored, and before a
 * transaction starts.
 * @throws ArgumentsFault
 */
function refuseInvalid(tool: Tool, args: JsonObject): void {
  try {
    const fault = tool.validate(args);
    if (fault !== undefined) throw new ArgumentsFault(fault);
    tool.buildRequest(args);
  } catch (error) {
    if (error instanceof ArgumentError) throw new ArgumentsFault(error.message);
    throw error;
  }
}

/** @throws McpOptionError for options that have no effect on a read-only route */
function refuseReadOnly(
  { route: { verb, label } }: ToolDraft,
  { idempotency, dryRun }: Pick<ResolvedToolWrites, 'idempotency' | 'dryRun'>,
): void {
  if ((verb !== 'GET' && verb !== 'QUERY') || !(idempotency || dryRun)) return;
  const option = idempotency ? 'idempotency' : 'dryRun';
  throw new McpOptionError(
    `@McpTool({ ${option} }) on ${label} has no effect, because ${verb} routes are read-only. Remove the option.`,
  );
}

function missingTransaction({ route: { label } }: ToolDraft): McpOptionError {
  return new McpOptionError(
    `@McpTool({ dryRun }) on ${label} requires a transaction that can be rolled back. Configure one: ` +
      'McpModule.forRoot({ writes: { transaction: (run) => dataSource.transaction(run) } }). ' +
      'The documentation page "Safe writes" has examples for TypeORM and Drizzle.',
  );
}

function argumentsOf({ inputSchema: { properties } }: ToolDraft): readonly string[] {
  return Object.keys(objectOf(properties));
}

const ADDED_BY = { option: '@McpTool', cure: 'Rename the argument of the route.' };

/** Claude Code (2.1.199) asks its user before it calls a tool with this hint. */
const ASKS_A_PERSON = { _meta: { 'anthropic/requiresUserInteraction': true } };

const CONFIRMATION_SCHEMA: JsonSchema = Object.freeze({
  type: 'string',
  description:
    'Omit this argument in the first call. If the call requires confirmation, the error contains ' +
    'the value to send here.',
});

const KEY_SCHEMA: JsonSchema = Object.freeze({
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A new UUID for each change (1 to 255 characters). If you did not receive the response, send the same key and ' +
    'arguments again: the change is made only once, and you get the first response.',
});

const DRY_RUN_SCHEMA: JsonSchema = Object.freeze({
  type: 'boolean',
  description: 'If true, the result shows what the call would change, and nothing is saved.',
});

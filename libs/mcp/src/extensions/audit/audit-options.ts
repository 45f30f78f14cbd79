import type { RequestContext } from '@fledge/core';
import type { CallRecord } from '@fledge/core/packages';
import {
  callback,
  flag,
  type OptionTable,
  type ReadOptions,
  readOptions,
  rule,
} from '@fledge-internal/options';

/** The option of the module. */
export interface AuditOption {
  /** Receives a record of each call. @default none */
  readonly audit?: McpAuditOptions;
}

/** An audit trail of the calls of tools, prompts and resources. */
export interface McpAuditOptions {
  /**
   * Receives a record of each call when its answer is known, also of calls that were refused. What it throws
   * is logged and does not change the answer.
   * @param ctx the request context of the route, such as for the user that a guard found; undefined if the
   * route did not run
   */
  onCall(record: CallRecord, ctx: RequestContext | undefined): unknown;
  /**
   * The answer waits for the promise of `onCall`, at most `limits.timeoutMs`. Set it if a call must not be
   * answered before it is stored.
   * @default false
   */
  readonly await?: boolean;
  /** Records have the arguments, without secrets. @default true */
  readonly arguments?: boolean;
}

const AUDIT = {
  onCall: callback<McpAuditOptions['onCall']>().required,
  await: flag.default(false),
  arguments: flag.default(true),
} satisfies OptionTable<McpAuditOptions>;

export type ResolvedAudit = ReadOptions<typeof AUDIT>;

export const AUDIT_OPTION = {
  audit: rule((given: McpAuditOptions | undefined, place): ResolvedAudit | undefined =>
    given === undefined
      ? undefined
      : { ...readOptions(given, AUDIT, place), onCall: given.onCall.bind(given) },
  ),
} satisfies OptionTable<AuditOption>;

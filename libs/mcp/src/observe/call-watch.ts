import crypto from 'node:crypto';
import { type CallError, type CallRecord, tenantOfRequest } from '@fledge/core/packages';
import type { Operation } from '../catalogue/operation.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { McpPrincipal } from '../mcp.options.js';

/** What is known about a call when it arrives. */
export interface CallStart {
  readonly method: string | undefined;
  readonly kind: CallRecord['kind'];
  readonly name: string | undefined;
  readonly client: McpClientInfo | undefined;
  readonly revision: string | undefined;
  readonly sessionId: string | undefined;
  readonly principal: McpPrincipal | undefined;
  readonly bytes: number;
}

/** The answer of a call: the facts that its record needs. */
export interface CallAnswer {
  readonly outcome: 'ok' | 'error' | 'cancelled' | 'input-required';
  readonly error?: CallError | undefined;
  /** HTTP status of a refusal. */
  readonly status?: number | undefined;
  readonly bytes: number;
}

/** How a route's run ended: the members of `CallOutcome` that a record needs. */
interface RunEnd {
  readonly kind: string;
  readonly response?: { readonly status: number };
}

/** Collects the record of a call while it runs. Exists only while calls are observed. */
export class CallWatch {
  private readonly at = new Date();
  private readonly since = performance.now();
  private client: McpClientInfo | undefined;
  private redacted: CallRecord['arguments'];
  private route: object | undefined;
  private status: number | undefined;
  private cut: CallError['code'] | undefined;
  private isOver = false;
  /** What the operation itself reported, if it did. Spares parsing its answer. */
  reported: Omit<CallAnswer, 'bytes'> | undefined;

  /** @param publish receives the record; a promise holds the answer back */
  constructor(
    private readonly start: CallStart,
    private readonly publish: (record: CallRecord) => Promise<void> | undefined,
  ) {
    this.client = start.client;
  }

  /** Sets the client of the session that the call belongs to. */
  from(client: McpClientInfo | undefined): void {
    this.client ??= client;
  }

  /** An operation is about to validate its arguments. */
  runs(operation: Operation, args: Readonly<Record<string, unknown>>): void {
    this.redacted = operation.redact(args);
  }

  /** The request for the route was made. */
  dispatched(request: object): void {
    this.route = request;
  }

  /** The route ended. Returns its argument. */
  ran<End extends RunEnd>(end: End): End {
    this.status = end.response?.status;
    if (end.kind === 'timeout' || end.kind === 'closed') this.cut = end.kind;
    return end;
  }

  /** Publishes the record. A promise: the answer must wait for it. Only the first call has an effect. */
  end(answer: CallAnswer): Promise<void> | undefined {
    if (this.isOver) return undefined;
    this.isOver = true;
    return this.publish(this.recordOf({ ...answer, ...this.reported }));
  }

  private recordOf({ outcome, error, status, bytes }: CallAnswer): CallRecord {
    const { start, client } = this;
    const isRefused = outcome === 'error' && this.route === undefined;
    return {
      id: crypto.randomUUID(),
      at: this.at,
      method: start.method,
      kind: start.kind,
      name: start.name,
      client: client && { name: client.name, version: client.version },
      revision: start.revision,
      session: start.sessionId === undefined ? undefined : sessionKeyOf(start.sessionId),
      principal: start.principal?.id,
      tenant: this.route && tenantOfRequest(this.route),
      arguments: this.redacted,
      outcome: isRefused ? 'refused' : outcome,
      status: this.status ?? (isRefused ? status : undefined),
      error: error && { code: this.cut ?? error.code, text: error.text.slice(0, 500) },
      durationMs: performance.now() - this.since,
      requestBytes: start.bytes,
      resultBytes: bytes,
    };
  }
}

/** A digest: without authentication, the id of a session is enough to use the session. */
function sessionKeyOf(sessionId: string): string {
  return crypto.hash('sha256', sessionId, 'hex').slice(0, 16);
}

import { flag, type OptionTable, readOptions } from '@fledge-internal/options';
import { Injectable, Logger } from '@nestjs/common';
import { placeOf } from '../checks/option-place.js';
import type { RequestContext } from '../context/request-context.js';

/** How a call ended. `refused`: its route did not run. `input-required`: the client is asked first. */
export type CallResult = 'ok' | 'error' | 'refused' | 'cancelled' | 'input-required';

/** One MCP call that ended: plain data that can be stored or sent as JSON. */
export interface CallRecord {
  /** A UUID. */
  readonly id: string;
  /** When the call arrived. */
  readonly at: Date;
  /** JSON-RPC method. Undefined if authentication refused the request and no header names the method. */
  readonly method: string | undefined;
  readonly kind: 'tool' | 'prompt' | 'resource' | undefined;
  /** Name of the tool or prompt, or URI of the resource, as the client sent it, cut to 256 characters. */
  readonly name: string | undefined;
  /** Name of the tool that the client called in place of this one, such as `call_tool`. Undefined for a direct call. */
  readonly via?: string | undefined;
  /** What the client software says about itself. Not verified. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** Revision of MCP. */
  readonly revision: string | undefined;
  /** Digest of the session id, equal for the calls of one session. */
  readonly session: string | undefined;
  /** `id` of the principal that `auth.validate` returned. */
  readonly principal: string | undefined;
  /** Path of the MCP endpoint, such as `/_mcp/messages`. Over stdio: of the endpoint that is served there. */
  readonly endpoint: string;
  /** The tenant of the route's request, and how it was found. */
  readonly tenant: CallTenant | undefined;
  /** The arguments, with secrets replaced. Undefined if no schema says which of them are secret. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  readonly outcome: CallResult;
  /** HTTP status of the route. If the route did not run: of the refusal, if it has one. */
  readonly status: number | undefined;
  readonly error: CallError | undefined;
  readonly durationMs: number;
  /** Size of the JSON-RPC request. */
  readonly requestBytes: number;
  /** Size of the JSON-RPC answer. */
  readonly resultBytes: number;
}

export interface CallTenant {
  readonly id: string;
  /** How the tenant was found, such as `header`. */
  readonly source: string | undefined;
}

/** What the client was told, cut to 500 characters. */
export interface CallError {
  /** JSON-RPC code, `code` of the route's error body, `timeout`, `closed`, or `tool_error`. */
  readonly code: number | string;
  readonly text: string;
}

/**
 * Receives the record of each call. What it throws is logged.
 * @param ctx the request context of the route, such as for the user that a guard found; undefined if the route did
 * not run
 * @param result the result of a tool, with secrets replaced; undefined without `wantsResult`
 */
export type CallObserver = (
  record: CallRecord,
  ctx: RequestContext | undefined,
  result?: unknown,
) => unknown;

export interface CallObserverOptions {
  /** The answer waits until the observer's promise settles. @default false */
  readonly holdsAnswer?: boolean;
  /** The observer receives the results of tools. @default false */
  readonly wantsResult?: boolean;
}

const OPTIONS = {
  holdsAnswer: flag.default(false),
  wantsResult: flag.default(false),
} satisfies OptionTable<CallObserverOptions>;

/** Distributes the records of calls. While nothing subscribes, no record is made. */
@Injectable()
export class CallObservers {
  private readonly logger = new Logger('CallObservers');
  private readonly observers = new Map<CallObserver, Required<CallObserverOptions>>();
  private readonly pending = new Set<Promise<void>>();

  /** True while there is a subscriber. */
  get any(): boolean {
    return this.observers.size > 0;
  }

  /** True while a subscriber wants the results of tools. */
  get wantResults(): boolean {
    for (const { wantsResult } of this.observers.values()) if (wantsResult) return true;
    return false;
  }

  /**
   * @returns a function that ends the subscription
   * @throws CoreOptionError
   */
  subscribe(observer: CallObserver, options: CallObserverOptions = {}): () => void {
    const place = placeOf('CallObservers.subscribe');
    this.observers.set(observer, readOptions(options, OPTIONS, place));
    return () => void this.observers.delete(observer);
  }

  /** Passes a record to every subscriber. Never throws or rejects. */
  notify(record: CallRecord, ctx?: RequestContext, result?: unknown): Promise<void> | undefined {
    const held: Promise<void>[] = [];
    for (const [observer, { holdsAnswer, wantsResult }] of this.observers) {
      const running = this.run(() =>
        wantsResult ? observer(record, ctx, result) : observer(record, ctx),
      );
      if (running && holdsAnswer) held.push(running);
    }
    return held.length === 0 ? undefined : Promise.all(held).then(() => undefined);
  }

  /** Resolves when the observers that run now have finished. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  private run(observe: () => unknown): Promise<void> | undefined {
    try {
      const returned = observe();
      if (!(returned instanceof Promise)) return undefined;
      const running: Promise<void> = returned.then(
        () => void this.pending.delete(running),
        (error: unknown) => {
          this.pending.delete(running);
          this.report(error);
        },
      );
      this.pending.add(running);
      return running;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  private report(error: unknown): void {
    this.logger.error('An observer of calls failed', error instanceof Error ? error.stack : error);
  }
}

import { flag, type OptionTable, readOptions } from '@fledge-internal/options';
import { Injectable, Logger } from '@nestjs/common';
import { placeOf } from '../checks/option-place.js';
import type { RequestContext } from '../context/request-context.js';

/**
 * The end of a call. `refused`: the route did not run. `input-required`: the client must answer
 * questions first.
 */
export type CallResult = 'ok' | 'error' | 'refused' | 'cancelled' | 'input-required';

/** The record of one finished MCP call. It is plain data that can be stored or sent as JSON. */
export interface CallRecord {
  /** A UUID. */
  readonly id: string;
  /** Time when the call arrived. */
  readonly at: Date;
  /**
   * JSON-RPC method. Undefined if authentication rejected the request and no header contains the
   * method.
   */
  readonly method: string | undefined;
  readonly kind: 'tool' | 'prompt' | 'resource' | undefined;
  /**
   * Name of the tool or prompt, or URI of the resource. The client sent this value. Only its first
   * 256 characters are kept.
   */
  readonly name: string | undefined;
  /**
   * Name of the tool that the client called to reach this tool, such as `call_tool`. Undefined for
   * a direct call.
   */
  readonly via?: string | undefined;
  /** Name and version reported by the client. Not verified. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** MCP protocol version. */
  readonly revision: string | undefined;
  /** Digest of the session id. Equal for all calls of a session. */
  readonly session: string | undefined;
  /** `id` of the principal that `auth.validate` returned. */
  readonly principal: string | undefined;
  /**
   * Path of the MCP endpoint, such as `/_mcp/messages`. Over stdio: path of the served endpoint.
   */
  readonly endpoint: string;
  /** The tenant of the route's request, and how it was found. */
  readonly tenant: CallTenant | undefined;
  /**
   * The arguments, with secrets replaced. Undefined if no schema defines which arguments are
   * secret.
   */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  readonly outcome: CallResult;
  /**
   * HTTP status of the route. If the route did not run, this is the status of the rejection.
   * Undefined if there is no status.
   */
  readonly status: number | undefined;
  readonly error: CallError | undefined;
  readonly durationMs: number;
  /** Size of the JSON-RPC request. */
  readonly requestBytes: number;
  /** Size of the JSON-RPC response. */
  readonly resultBytes: number;
}

export interface CallTenant {
  readonly id: string;
  /** The source of the tenant, such as `header`. */
  readonly source: string | undefined;
}

/** The error that was sent to the client. `text` has at most 500 characters. */
export interface CallError {
  /** A JSON-RPC code, the `code` of the route's error body, `timeout`, `closed` or `tool_error`. */
  readonly code: number | string;
  readonly text: string;
}

/**
 * Receives the record of each call, and the request context of its route. The context has the user
 * that a guard found. It is undefined if the route did not run. Errors are logged.
 * @param result the result of a tool, with secrets replaced. Undefined if `wantsResult` is not set
 */
export type CallObserver = (
  record: CallRecord,
  ctx: RequestContext | undefined,
  result?: unknown,
) => unknown;

export interface CallObserverOptions {
  /** If true, the response waits until the observer's promise settles. @default false */
  readonly holdsAnswer?: boolean;
  /** If true, the observer receives the results of tools. @default false */
  readonly wantsResult?: boolean;
}

const OPTIONS = {
  holdsAnswer: flag.default(false),
  wantsResult: flag.default(false),
} satisfies OptionTable<CallObserverOptions>;

/** Distributes the records of calls. Creates no records while there are no subscribers. */
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

  /** Resolves when the currently running observers have finished. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  private run(observe: () => unknown): Promise<void> | undefined {
    try {
      const returned = observe();
      // Query builders are not promises. They run their query when `then` is called.
      if (typeof (returned as { then?: unknown } | null | undefined)?.then !== 'function') {
        return undefined;
      }
      const running: Promise<void> = Promise.resolve(returned).then(
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
    this.logger.error('A call observer failed', error instanceof Error ? error.stack : error);
  }
}

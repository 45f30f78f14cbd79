import type { RequestContext } from '@fledge/core';
import type { CallObservers, CallRecord } from '@fledge/core/packages';
import { callSpans } from '../telemetry/call-spans.js';
import type { CallTrace } from '../telemetry/call-trace.js';
import type { CallRing } from './call-ring.js';
import { panelCallOf } from './panel-call.js';
import { SessionCallers } from './session-callers.js';
import { shortName, userNameOf } from './user-name.js';

/**
 * Maximum milliseconds between the end of a call and the end of its last span, such as the span of
 * its HTTP request.
 */
const WAIT_MS = 250;

/** Adds each finished call to the ring, with its trace. */
export class CallRecorder {
  readonly sessions = new SessionCallers();
  private readonly ends: (() => void)[] = [];

  constructor(private readonly ring: CallRing) {}

  start(observers: CallObservers): void {
    this.ends.push(
      callSpans.read(),
      observers.subscribe((record, ctx, result) => this.record(record, ctx, result), {
        wantsResult: true,
      }),
    );
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end();
  }

  private record(record: CallRecord, ctx: RequestContext | undefined, result: unknown): void {
    const { principal } = record;
    const user = principal === undefined ? userNameOf(ctx) : shortName(principal);
    this.sessions.add(record, user);
    const call = panelCallOf(record, user);
    const trace = callSpans.takeEnded();
    if (trace === undefined) this.ring.add(call, result);
    else afterSpans(trace, () => this.ring.add({ ...call, spans: trace.spans }, result));
  }
}

/** Runs a function when all spans of the trace have ended, at the latest after `WAIT_MS`. */
function afterSpans(trace: CallTrace, run: () => void): void {
  let isWaiting = true;
  const once = (): void => {
    if (!isWaiting) return;
    isWaiting = false;
    clearTimeout(timer);
    run();
  };
  const timer = setTimeout(once, WAIT_MS).unref();
  trace.whenClosed(once);
}

import type { IncomingMessage } from 'node:http';

/** What the recorder application wrote down while it answered one request. */
export interface Trace {
  readonly steps: string[];
  /** The arguments each handler was given. */
  readonly args: unknown[];
}

// A trace belongs to the request object itself: neither a header nor a context that a tool call
// might carry differently takes part in finding it.
const traces = new WeakMap<IncomingMessage, Trace>();
let latest: Trace | undefined;

type AnyRequest = IncomingMessage & { readonly raw?: IncomingMessage };

export function begin(request: AnyRequest): void {
  latest = { steps: [], args: [] };
  traces.set(request.raw ?? request, latest);
}

export function note(request: AnyRequest, step: string): void {
  traces.get(request.raw ?? request)?.steps.push(step);
}

export function noteArgs(request: AnyRequest, args: unknown): void {
  traces.get(request.raw ?? request)?.args.push(args);
}

/** The trace of the last request that reached a route. */
export function lastTrace(): Trace {
  if (latest === undefined) throw new Error('No request was traced.');
  return latest;
}

export function forget(): void {
  latest = undefined;
}

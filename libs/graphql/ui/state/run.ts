import { prettyJson } from '@fledge-internal/ui/json';
import { signal } from '@preact/signals';
import { OperationTypeNode } from 'graphql';
import { socketUrl } from '../api/endpoint.js';
import { type Headers, type Operation, reasonOf } from '../api/operation.js';
import { send } from '../api/send.js';
import { subscribe } from '../api/subscribe.js';
import { remember } from './history.js';
import { currentOperation, headers, operation } from './request.js';
import { loadSchema, schema } from './schema.js';
import { currentTab } from './tabs.js';

/** A result of an operation, as text. */
export interface Event {
  readonly number: number;
  readonly at: string;
  readonly text: string;
}

/** The state of the last operation. */
export interface Run {
  readonly kind: 'answer' | 'stream';
  readonly running: boolean;
  /** A status such as `200 OK in 12 ms` or `3 events over WebSocket`. */
  readonly status: string;
  /** The events, the latest first. */
  readonly events: readonly Event[];
  readonly fault?: string;
}

/** Number of events that are kept for one subscription. */
const KEPT = 200;

export const run = signal<Run | undefined>(undefined);
let end: (() => void) | undefined;

/** Runs the operation at the cursor. Stops the operation that is running. */
export function start(): void {
  stop();
  const [wanted, sent] = [operation.value, headers.value];
  if (wanted === undefined) return refuse('The variables must be a JSON object.');
  if (sent === undefined) return refuse('The headers must be a JSON object of strings.');
  const { text, variables } = currentTab.value;
  remember(text, variables);
  if (currentOperation.value?.operation === OperationTypeNode.SUBSCRIPTION) {
    startStream(wanted, sent);
  } else void ask(wanted, sent);
  // Tries the schema again, because the headers may now be the right ones.
  if (schema.value.state === 'missing') void loadSchema();
}

/** Stops the running operation. */
export function stop(): void {
  end?.();
  end = undefined;
  if (run.value?.running) run.value = { ...run.value, running: false };
}

function refuse(fault: string): void {
  run.value = { kind: 'answer', running: false, status: 'Not sent', events: [], fault };
}

async function ask(wanted: Operation, sent: Headers): Promise<void> {
  const abort = new AbortController();
  end = () => abort.abort();
  run.value = { kind: 'answer', running: true, status: 'Running', events: [] };
  const began = performance.now();
  const done = (outcome: Pick<Run, 'status' | 'events' | 'fault'>) => {
    if (!abort.signal.aborted) run.value = { kind: 'answer', running: false, ...outcome };
  };
  try {
    const { status, text: body } = await send(wanted, sent, abort.signal);
    const ms = Math.round(performance.now() - began);
    done({ status: `${status} in ${ms} ms`, events: [eventOf(1, prettyJson(body))] });
  } catch (error) {
    done({ status: 'No response', events: [], fault: reasonOf(error) });
  }
}

function startStream(wanted: Operation, sent: Headers): void {
  const over = socketUrl === undefined ? 'as event stream' : 'over WebSocket';
  let count = 0;
  let ended = false;
  const status = () => `${count} ${count === 1 ? 'event' : 'events'} ${over}`;
  run.value = { kind: 'stream', running: true, status: status(), events: [] };
  const change = (changes: Partial<Run>) => {
    if (!ended && run.value) run.value = { ...run.value, ...changes, status: status() };
  };
  const endStream = subscribe(wanted, sent, {
    next: (result) => {
      count += 1;
      const event = eventOf(count, JSON.stringify(result, null, 2));
      change({ events: [event, ...(run.value?.events ?? [])].slice(0, KEPT) });
    },
    complete: () => change({ running: false }),
    fail: (fault) => change({ running: false, fault }),
  });
  end = () => {
    ended = true;
    endStream();
  };
}

function eventOf(number: number, shown: string): Event {
  return { number, at: new Date().toLocaleTimeString(), text: shown };
}

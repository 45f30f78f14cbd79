import { batch, computed, signal } from '@preact/signals';
import {
  CALL_EVENTS,
  CALL_STREAM_URL,
  type CallsDropped,
  type CallsView,
  type PanelCall,
} from '../../src/panel.api.js';
import { readView, reasonOf } from '../api/panel-api.js';

/** Everything in the view except the calls. Undefined until it was read. */
export const callsInfo = signal<Omit<CallsView, 'calls'> | undefined>();
/** Why there are no calls to show: the package is missing, or the application does not respond. */
export const callsProblem = signal<string | undefined>();
/** Set if live updates stopped: the time of the next attempt. Undefined while connected. */
export const lost = signal<{ readonly nextTryAt: number } | undefined>();
export const paused = signal(false);
/** All calls that the page has, oldest first. Includes calls that arrived during a pause. */
export const allCalls = signal<readonly PanelCall[]>([]);
/** The calls at the time of the pause. */
const frozen = signal<readonly PanelCall[]>([]);
/** The user cleared the calls up to this id from the page. */
const clearedTo = signal(0);
/** The first id of the calls that arrived live. Their rows fade in. */
export const freshFrom = signal(Number.POSITIVE_INFINITY);

/** The calls in the table, oldest first. */
export const shownCalls = computed(() =>
  (paused.value ? frozen.value : allCalls.value).filter(({ id }) => id > clearedTo.value),
);

/** Number of calls that arrived during the pause. */
export const heldCount = computed(() => {
  if (!paused.value) return 0;
  const last = frozen.value.at(-1)?.id ?? 0;
  return allCalls.value.filter(({ id }) => id > last).length;
});

export function togglePause(): void {
  batch(() => {
    frozen.value = allCalls.value;
    paused.value = !paused.value;
  });
}

/** Clears the table on this page. The application keeps its calls. */
export function clearCalls(): void {
  batch(() => {
    paused.value = false;
    clearedTo.value = allCalls.value.at(-1)?.id ?? 0;
  });
}

const RETRY_MS = 3000;
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
/** Calls that arrived since the last render. A burst of calls is rendered once. */
let arrived: PanelCall[] = [];

/**
 * Reads the calls that the application keeps, then follows new ones. Also used to retry
 * immediately.
 */
export async function connectCalls(): Promise<void> {
  clearTimeout(retry);
  source?.close();
  try {
    const view = await readView('calls');
    if (!view.installed) {
      callsProblem.value = view.cure;
      return;
    }
    const { calls, ...info } = view;
    batch(() => {
      callsProblem.value = undefined;
      lost.value = undefined;
      callsInfo.value = info;
      allCalls.value = calls;
      freshFrom.value = (calls.at(-1)?.id ?? 0) + 1;
    });
    follow(calls.at(-1)?.id ?? 0);
  } catch (failure) {
    if (callsInfo.value === undefined) callsProblem.value = reasonOf(failure);
    tryLater();
  }
}

function follow(after: number): void {
  source = new EventSource(`${CALL_STREAM_URL}?after=${after}`);
  source.addEventListener(CALL_EVENTS.call, (event: MessageEvent<string>) => {
    arrived.push(JSON.parse(event.data) as PanelCall);
    if (arrived.length === 1) setTimeout(take, 50);
  });
  source.addEventListener(CALL_EVENTS.dropped, (event: MessageEvent<string>) => {
    addToTotal((JSON.parse(event.data) as CallsDropped).count);
  });
  source.addEventListener('error', () => {
    source?.close();
    tryLater();
  });
}

function take(): void {
  const capacity = callsInfo.value?.capacity ?? 200;
  const calls = arrived;
  arrived = [];
  batch(() => {
    allCalls.value = [...allCalls.value, ...calls].slice(-capacity);
    addToTotal(calls.length);
  });
}

function addToTotal(count: number): void {
  const info = callsInfo.value;
  if (info) callsInfo.value = { ...info, total: info.total + count };
}

function tryLater(): void {
  clearTimeout(retry);
  lost.value = { nextTryAt: Date.now() + RETRY_MS };
  retry = setTimeout(() => void connectCalls(), RETRY_MS);
}

// An open stream of a page that the user left would keep the application from closing.
addEventListener('pagehide', () => source?.close());
addEventListener('pageshow', (event) => {
  if (event.persisted) void connectCalls();
});

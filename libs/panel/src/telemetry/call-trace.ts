import type { PanelSpan } from '@fledge/core/packages';
import type { KeptSpan } from './sdk-span.js';

/** Maximum number of spans of one call. Further spans are omitted. */
const MOST_SPANS = 100;

/** The span of a call and all spans below it. */
export class CallTrace {
  /** Ids of all spans that began, including those that ended. */
  readonly ids = new Set<string>();
  private readonly finished: KeptSpan[] = [];
  private isClosed = false;
  private readonly waiting: (() => void)[] = [];

  /** @param root the id of the call's span */
  constructor(readonly root: string) {}

  /** @returns false if the trace is full */
  begin(id: string): boolean {
    if (this.ids.size >= MOST_SPANS) return false;
    this.ids.add(id);
    return true;
  }

  end(span: KeptSpan): void {
    this.finished.push(span);
  }

  /** True if all spans have ended. */
  get isComplete(): boolean {
    return this.finished.length === this.ids.size;
  }

  /** Marks the trace as complete: no more spans are added. */
  close(): void {
    this.isClosed = true;
    for (const told of this.waiting.splice(0)) told();
  }

  /**
   * Calls the function when the trace is closed. If the trace is already closed, calls it
   * immediately.
   */
  whenClosed(told: () => void): void {
    if (this.isClosed) told();
    else this.waiting.push(told);
  }

  /**
   * The finished spans. Each span is followed by its children, in the order of their start times.
   */
  get spans(): readonly PanelSpan[] {
    return waterfallOf(this.finished, this.root);
  }
}

/** @param root the id of the top span. Spans without a connection to it are omitted */
function waterfallOf(spans: readonly KeptSpan[], root: string): readonly PanelSpan[] {
  const top = spans.find(({ id }) => id === root);
  if (top === undefined) return [];
  const below = childrenOf(spans);
  const shown: PanelSpan[] = [];
  const show = ({ id, name, start, ms, failed }: KeptSpan, depth: number): void => {
    shown.push({ name, depth, startMs: rounded(start - top.start), ms: rounded(ms), failed });
    for (const child of below.get(id) ?? []) show(child, depth + 1);
  };
  show(top, 0);
  return shown;
}

/**
 * Returns the spans by the id of their parent. Spans with the same parent are sorted by start time.
 */
function childrenOf(spans: readonly KeptSpan[]): ReadonlyMap<string, readonly KeptSpan[]> {
  const children = new Map<string, KeptSpan[]>();
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.parent === undefined) continue;
    const siblings = children.get(span.parent);
    if (siblings) siblings.push(span);
    else children.set(span.parent, [span]);
  }
  return children;
}

/**
 * Rounds to hundredths of a millisecond. Negative values become 0. They occur if the clocks of two
 * processes differ.
 */
function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 100) / 100);
}

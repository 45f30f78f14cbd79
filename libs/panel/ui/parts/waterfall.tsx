import type { PanelSpan } from '../../src/panel.api.js';
import { msOf } from '../format/number.js';

/** Shows the spans of a call as bars on a common time axis. */
export function Waterfall({ spans }: { readonly spans: readonly PanelSpan[] }) {
  const total = Math.max(0.1, ...spans.map(({ startMs, ms }) => startMs + ms));
  const share = (ms: number): string => `${Math.min(100, (ms / total) * 100).toFixed(2)}%`;
  return (
    <ol class="wf">
      <li class="axis" aria-hidden="true">
        <span>span</span>
        <span class="tr">
          <span>0</span>
          <span>{msOf(total)} ms</span>
        </span>
        <span class="num">ms</span>
      </li>
      {spans.map(({ name, depth, startMs, ms, failed }, at) => (
        <li key={at} class={failed ? 'bad' : depth > 2 ? 'own' : ''}>
          <span class="n cut" style={{ paddingLeft: `${Math.min(depth, 12) * 10}px` }} title={name}>
            {name}
            {failed && <span class="sr"> failed</span>}
          </span>
          <span class="tr">
            <b style={{ left: share(startMs), width: share(ms) }} />
          </span>
          <span class="num">{ms.toFixed(1)}</span>
        </li>
      ))}
    </ol>
  );
}

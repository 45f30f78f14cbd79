import { computed } from '@preact/signals';
import type { PanelCall } from '../../../src/panel.api.js';
import { type Bin, binsOf, figuresOf } from '../../format/calls.js';
import { countOf, msOf } from '../../format/number.js';
import { allCalls } from '../../state/calls.js';
import { now } from '../../state/clock.js';

const BIN_MS = 5000;
const BINS = 60;
const bins = computed(() => binsOf(allCalls.value, { now: now.value, binMs: BIN_MS, count: BINS }));

/** Shows the number of calls, failures and durations, and a chart of the last five minutes. */
export function CallFigures({ calls }: { readonly calls: readonly PanelCall[] }) {
  const { failed, worst, median, p95 } = figuresOf(calls);
  return (
    <div class="strip">
      <dl class="figs">
        <Figure name="Calls" value={countOf(calls.length)} />
        <Figure name="Failed" value={countOf(failed)} look={worst === 'ok' ? '' : worst} />
        <Figure name="Median" value={msOf(median)} unit="ms" />
        <Figure name="95th" value={msOf(p95)} unit="ms" />
      </dl>
      <figure class="chart">
        <BinChart bins={bins.value} />
        <figcaption class="ax">
          <span>5 min ago</span>
          <span>calls per 5 s, failed ones marked</span>
          <span>now</span>
        </figcaption>
      </figure>
    </div>
  );
}

/** A number with its label above it. */
export function Figure(props: {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly look?: string;
}) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.look}>
        {props.value} {props.unit !== undefined && <small>{props.unit}</small>}
      </dd>
    </div>
  );
}

/**
 * Width and height of a cell in the chart's own units. The chart is stretched to the available
 * space.
 */
const UNIT = 10;
const HEIGHT = 44;

function BinChart({ bins: all }: { readonly bins: readonly Bin[] }) {
  const most = Math.max(4, ...all.map(({ calls }) => calls));
  const high = (count: number): number => (count / most) * (HEIGHT - 2);
  const failed = all.reduce((sum, bin) => sum + bin.failed, 0);
  const calls = all.reduce((sum, bin) => sum + bin.calls, 0);
  return (
    <svg
      viewBox={`0 0 ${all.length * UNIT} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${calls} calls in the last five minutes, ${failed} failed`}
    >
      <path class="axis" d={`M0 ${HEIGHT - 0.5}H${all.length * UNIT}`} />
      {all.map((bin, at) => (
        <g key={at}>
          <Bar at={at} from={high(bin.failed)} to={high(bin.calls)} look="ok" />
          <Bar at={at} from={high(bin.errors)} to={high(bin.failed)} look="warn" />
          <Bar at={at} from={0} to={high(bin.errors)} look="err" />
        </g>
      ))}
    </svg>
  );
}

function Bar(props: {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly look: string;
}) {
  const { at, from, to, look } = props;
  if (to <= from) return null;
  return (
    <rect class={look} x={at * UNIT + 1} width={UNIT - 2} y={HEIGHT - 1 - to} height={to - from} />
  );
}

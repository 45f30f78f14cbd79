import type { PanelCall } from '../../../src/panel.api.js';
import { Empty } from '../../parts/blocks.js';
import { Waterfall } from '../../parts/waterfall.js';
import { callsInfo } from '../../state/calls.js';

/** Shows the spans of a call, or why there are none. */
export function CallTrace({ call }: { readonly call: PanelCall | undefined }) {
  const spans = call?.spans ?? [];
  if (spans.length > 0) return <Waterfall spans={spans} />;
  const info = callsInfo.value;
  if (info?.traces) {
    return (
      <Empty title="No trace for this call">
        <p>The call was not sampled, or its spans have not ended yet.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No traces yet">
      <p>{info?.traceCure}</p>
    </Empty>
  );
}

import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button, Segments } from '@fledge-internal/ui/controls';
import { filtered, type Shown, SLOW_MS } from '../../format/calls.js';
import { countOf, plural } from '../../format/number.js';
import { Empty, Note } from '../../parts/blocks.js';
import { Find } from '../../parts/find.js';
import {
  allCalls,
  callsInfo,
  callsProblem,
  clearCalls,
  heldCount,
  paused,
  shownCalls,
  togglePause,
} from '../../state/calls.js';
import { goTo, selected } from '../../state/navigation.js';
import { tools } from '../../state/resource.js';
import { absolute } from '../app-url.js';
import { CallDrawer } from './call-drawer.js';
import { CallFigures } from './call-figures.js';
import { CallTable } from './call-table.js';

const text = signal('');
const shown = signal<Shown>('all');
const rows = computed(() => filtered(shownCalls.value, { text: text.value, shown: shown.value }));

/** What just happened? Shows calls as they arrive, with failures highlighted. */
export function CallsView() {
  const call = allCalls.value.find(({ id }) => String(id) === selected.value);
  return (
    <div class="view calls">
      <div class="left">
        <h1 class="sr">Calls</h1>
        <CallFigures calls={shownCalls.value} />
        <Toolbar />
        {call === undefined && selected.value !== undefined && callsInfo.value && (
          <div class="gone">
            <Note title={`Call ${selected.value} is not kept`}>
              The application keeps its last {countOf(callsInfo.value.capacity)} calls until it
              stops.
            </Note>
          </div>
        )}
        <div class="ctab" tabIndex={0} role="region" aria-label="Calls, newest first">
          {rows.value.length > 0 && <CallTable calls={rows.value} current={call?.id} />}
          {rows.value.length === 0 && <NoCalls />}
        </div>
      </div>
      {call && <CallDrawer key={call.id} call={call} close={() => closeDrawer(call.id)} />}
    </div>
  );
}

/** Closes the drawer and returns the focus to its row. */
function closeDrawer(id: number): void {
  goTo('calls');
  document.querySelector<HTMLElement>(`[data-call="${id}"]`)?.focus();
}

function Toolbar() {
  return (
    <div class="toolbar">
      <Find label="Filter calls" hint="tenant:acme, 404, tasks_get" text={text} />
      <Segments<Shown>
        label="Show"
        options={[
          { value: 'all', label: 'All' },
          { value: 'failed', label: 'Failed' },
          { value: 'slow', label: `Over ${SLOW_MS} ms` },
        ]}
        value={shown.value}
        onChange={(value) => (shown.value = value)}
      />
      <Button class="pause" aria-pressed={paused.value} onClick={togglePause}>
        {paused.value ? `Resume (${heldCount.value} new)` : 'Pause'}
      </Button>
      <Button onClick={clearCalls}>Clear</Button>
    </div>
  );
}

function NoCalls() {
  const count = shownCalls.value.length;
  if (count > 0) {
    const clear = (): void => {
      text.value = '';
      shown.value = 'all';
    };
    return (
      <Empty title="No call matches">
        <p>{plural(count, 'call')} hidden by the filter.</p>
        <Button onClick={clear}>Clear filter</Button>
      </Empty>
    );
  }
  if (callsProblem.value !== undefined) {
    return (
      <Empty title="No calls to show">
        <p>{callsProblem.value}</p>
      </Empty>
    );
  }
  return <NoCallsYet />;
}

function NoCallsYet() {
  const view = tools.data.value;
  useEffect(() => void (tools.data.peek() ?? tools.load()), []);
  return (
    <Empty title="No calls yet">
      <p>Connect a client to this address, or run a tool here.</p>
      {view?.installed && view.endpoint !== undefined && (
        <pre class="code">{absolute(view.endpoint)}</pre>
      )}
    </Empty>
  );
}

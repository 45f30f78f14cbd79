import { computed } from '@preact/signals';
import type { SessionsView as Sessions } from '../../../src/panel.api.js';
import { sessionless } from '../../format/sessionless.js';
import { countOf, plural } from '../../format/number.js';
import { clockOf } from '../../format/time.js';
import { Empty, Note, Page, Panel } from '../../parts/blocks.js';
import { allCalls } from '../../state/calls.js';
import { sessions, useResource } from '../../state/resource.js';
import { Loaded } from '../loaded.js';
import { OpenSessions, Sessionless } from './session-tables.js';

const withoutSession = computed(() => sessionless(allCalls.value));

/** Who holds the places? Open sessions against `sessions.max`. */
export function SessionsView() {
  useResource(sessions, 5000);
  return (
    <Loaded resource={sessions} title="Sessions">
      {(view) => (
        <Page
          title="Sessions"
          intro="Clients of the revisions up to 2025-11-25 hold a session. Clients of 2026-07-28 hold none and do not count."
        >
          <Places sessions={view} />
          <Refused sessions={view} />
          <Panel>
            {view.open.length === 0 ? <NoSessions /> : <OpenSessions open={view.open} />}
          </Panel>
          <h2 class="between-panels">Without a session</h2>
          <Panel>
            <Sessionless clients={withoutSession.value} />
          </Panel>
        </Page>
      )}
    </Loaded>
  );
}

/** More places than these are not drawn. */
const MOST_SLOTS = 16;

function Places({ sessions: { open, max } }: { readonly sessions: Sessions }) {
  const full = max !== undefined && open.length >= max;
  return (
    <div class="row wrap slotline">
      <div class="figure">
        {max === undefined ? open.length : `${open.length} of ${countOf(max)}`} <span>open</span>
      </div>
      {max !== undefined && max <= MOST_SLOTS && (
        <div class="slots" role="img" aria-label={`${open.length} of ${max} places taken`}>
          {Array.from({ length: max }, (_, at) => (
            <i key={at} class={at < open.length ? 'on' : ''} />
          ))}
        </div>
      )}
      <code class="dim">{max === undefined ? 'no limit' : `sessions.max: ${max}`}</code>
      {full && <span class="warn">full: the next client is refused</span>}
    </div>
  );
}

function Refused({ sessions: { refused } }: { readonly sessions: Sessions }) {
  if (refused.count === 0) return null;
  const at =
    refused.lastAt === undefined ? '' : `, the last at ${clockOf(refused.lastAt).slice(0, 8)}`;
  return (
    <div class="after">
      <Note
        look="warn"
        title={`${plural(refused.count, 'client was', 'clients were')} refused${at}`}
      >
        The answer was “Server already initialized”. End a session below, or raise{' '}
        <code>McpModule.forRoot({'{ sessions: { max } }'})</code>.
      </Note>
    </div>
  );
}

function NoSessions() {
  return (
    <Empty title="No open sessions">
      <p>Connect a client of a revision up to 2025-11-25, such as an editor, to see it here.</p>
    </Empty>
  );
}

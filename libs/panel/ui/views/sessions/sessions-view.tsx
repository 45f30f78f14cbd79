import { computed } from '@preact/signals';
import type { PanelEndpointSessions } from '../../../src/panel.api.js';
import { sessionless } from '../../format/sessionless.js';
import { countOf, plural } from '../../format/number.js';
import { clockOf } from '../../format/time.js';
import { Empty, Note, Page, Panel } from '../../parts/blocks.js';
import { allCalls } from '../../state/calls.js';
import { sessions, useResource } from '../../state/resource.js';
import { Loaded } from '../loaded.js';
import { OpenSessions, Sessionless } from './session-tables.js';

const withoutSession = computed(() => sessionless(allCalls.value));

/** Which sessions are open? Shows them for each endpoint, with its limit `sessions.max`. */
export function SessionsView() {
  useResource(sessions, 5000);
  return (
    <Loaded resource={sessions} title="Sessions">
      {({ endpoints }) => (
        <Page
          narrow
          title="Sessions"
          intro="Clients of the revisions up to 2025-11-25 hold a session. Clients of 2026-07-28 hold none and do not count."
        >
          {endpoints.map((endpoint, at) => (
            <section
              key={endpoint.path}
              class={at > 0 ? 'after' : ''}
              aria-label={`Sessions of ${endpoint.path}`}
            >
              <Places sessions={endpoint} named={endpoints.length > 1} />
              <Refused sessions={endpoint} />
              <Panel>
                {endpoint.open.length === 0 ? (
                  <NoSessions />
                ) : (
                  <OpenSessions open={endpoint.open} />
                )}
              </Panel>
            </section>
          ))}
          <h2 class="between-panels">Without a session</h2>
          <Panel>
            <Sessionless clients={withoutSession.value} />
          </Panel>
        </Page>
      )}
    </Loaded>
  );
}

/** Maximum number of sessions that are drawn as slots. */
const MOST_SLOTS = 16;

interface EndpointProps {
  readonly sessions: PanelEndpointSessions;
}

function Places({ sessions, named }: EndpointProps & { readonly named: boolean }) {
  const { path, open, max } = sessions;
  return (
    <div class="row wrap slotline">
      {named && <h2 class="m">{path}</h2>}
      <div class="figure">
        {`${open.length} of ${countOf(max)}`} <span>open</span>
      </div>
      {max <= MOST_SLOTS && (
        <div class="slots" role="img" aria-label={`${open.length} of ${max} places taken`}>
          {Array.from({ length: max }, (_, at) => (
            <i key={at} class={at < open.length ? 'on' : ''} />
          ))}
        </div>
      )}
      <code class="dim">sessions.max: {max}</code>
      {open.length >= max && <span class="warn">full: the next client is rejected</span>}
    </div>
  );
}

function Refused({ sessions: { refused } }: EndpointProps) {
  if (refused.count === 0) return null;
  const at =
    refused.lastAt === undefined ? '' : `, the last at ${clockOf(refused.lastAt).slice(0, 8)}`;
  return (
    <div class="after">
      <Note
        look="warn"
        title={`${plural(refused.count, 'client was', 'clients were')} rejected${at}`}
      >
        The response was “Server already initialized”. End a session below, or raise{' '}
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

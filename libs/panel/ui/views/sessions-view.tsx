import { computed, useSignal } from '@preact/signals';
import type { PanelSession, SessionsView as Sessions } from '../../src/panel.api.js';
import { post, reasonOf } from '../api/panel-api.js';
import { sessionless, type SessionlessClient } from '../format/sessionless.js';
import { countOf, plural } from '../format/number.js';
import { clockOf, durationOf } from '../format/time.js';
import { Empty, Note, Page, Panel, Scroll } from '../parts/blocks.js';
import { Button } from '../parts/controls.js';
import { allCalls } from '../state/calls.js';
import { now } from '../state/clock.js';
import { sessions, useResource } from '../state/resource.js';
import { clientOf } from './client-name.js';
import { Loaded } from './loaded.js';

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

function OpenSessions({ open }: { readonly open: readonly PanelSession[] }) {
  return (
    <Scroll label="Open sessions">
      <table class="tbl stackt">
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Revision</th>
            <th scope="col">User</th>
            <th scope="col">Tenant</th>
            <th scope="col" class="num">
              Running
            </th>
            <th scope="col" class="num">
              Age
            </th>
            <th scope="col" class="num">
              Idle
            </th>
            <th scope="col">
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {open.map((session) => (
            <SessionRow key={session.key} session={session} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function SessionRow({ session }: { readonly session: PanelSession }) {
  const { client, version, revision, user, tenant, active, openedAt, lastAt } = session;
  return (
    <tr>
      <td>
        {client ?? 'unnamed client'} <span class="dim">{version}</span>
      </td>
      <td class="m">{revision}</td>
      <td>{user}</td>
      <td class="m">{tenant}</td>
      <td class="num" data-l="running">
        {active}
      </td>
      <td class="num nowrap" data-l="age">
        {since(openedAt)}
      </td>
      <td class="num nowrap" data-l="idle">
        {since(lastAt)}
      </td>
      <td class="num">
        <EndButton session={session} />
      </td>
    </tr>
  );
}

function since(at: string | undefined): string {
  return at === undefined ? '' : durationOf(now.value - Date.parse(at));
}

/** Asks once, in place, before it ends a session. */
function EndButton({ session: { key, client } }: { readonly session: PanelSession }) {
  const asking = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const end = async (): Promise<void> => {
    try {
      await post('endSession', { key });
    } catch (error) {
      fault.value = reasonOf(error);
    }
    asking.value = false;
    await sessions.load();
  };
  if (!asking.value) {
    return (
      <>
        {fault.value !== undefined && <span class="err small">{fault.value} </span>}
        <Button
          small
          aria-label={`End the session of ${client ?? 'an unnamed client'}`}
          onClick={() => (asking.value = true)}
        >
          End
        </Button>
      </>
    );
  }
  return (
    <span class="row endrow">
      <span class="sub">Its client must reconnect.</span>
      <Button small look="danger" ref={focusNow} onClick={() => void end()}>
        End session
      </Button>
      <Button small look="quiet" onClick={() => (asking.value = false)}>
        Keep
      </Button>
    </span>
  );
}

function focusNow(button: HTMLButtonElement | null): void {
  button?.focus();
}

function Sessionless({ clients }: { readonly clients: readonly SessionlessClient[] }) {
  if (clients.length === 0) {
    return (
      <Empty title="No calls without a session">
        <p>Clients of 2026-07-28 appear here with their first call.</p>
      </Empty>
    );
  }
  return (
    <Scroll label="Clients without a session">
      <table class="tbl stackt">
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Revision</th>
            <th scope="col">User</th>
            <th scope="col">Tenant</th>
            <th scope="col" class="num">
              Calls kept
            </th>
            <th scope="col" class="num">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map(({ client, revision, user, tenant, calls, lastAt }) => (
            <tr key={`${client} ${user ?? ''} ${tenant ?? ''}`}>
              <td>{clientOf(client)}</td>
              <td class="m">{revision}</td>
              <td>{user}</td>
              <td class="m">{tenant}</td>
              <td class="num" data-l="calls">
                {calls}
              </td>
              <td class="num nowrap">{since(lastAt)} ago</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

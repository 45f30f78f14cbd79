import type { PanelSession } from '../../../src/panel.api.js';
import type { SessionlessClient } from '../../format/sessionless.js';
import { durationOf } from '../../format/time.js';
import { Empty } from '../../parts/blocks.js';
import { Table } from '../../parts/table.js';
import { now } from '../../state/clock.js';
import { clientOf } from '../client-name.js';
import { EndButton } from './end-button.js';

export function OpenSessions({ open }: { readonly open: readonly PanelSession[] }) {
  return (
    <Table
      label="Open sessions"
      rows={open}
      keyOf={({ key }) => key}
      stacks
      columns={[
        { title: 'Client', cell: (session) => <Client session={session} /> },
        { title: 'Revision', look: 'm', cell: ({ revision }) => revision },
        { title: 'User', cell: ({ user }) => user },
        { title: 'Tenant', look: 'm', cell: ({ tenant }) => tenant },
        { title: 'Running', look: 'num', short: 'running', cell: ({ active }) => active },
        { title: 'Age', look: 'num nowrap', short: 'age', cell: (row) => since(row.openedAt) },
        { title: 'Idle', look: 'num nowrap', short: 'idle', cell: (row) => since(row.lastAt) },
        { title: 'Actions', look: 'num', silent: true, cell: (row) => <EndButton session={row} /> },
      ]}
    />
  );
}

function Client({ session: { client, version } }: { readonly session: PanelSession }) {
  return (
    <>
      {client ?? 'unnamed client'} <span class="dim">{version}</span>
    </>
  );
}

function since(at: string | undefined): string {
  return at === undefined ? '' : durationOf(now.value - Date.parse(at));
}

/** Lists clients of protocol 2026-07-28, which have no session, by their calls. */
export function Sessionless({ clients }: { readonly clients: readonly SessionlessClient[] }) {
  if (clients.length === 0) {
    return (
      <Empty title="No calls without a session">
        <p>Clients of 2026-07-28 appear here with their first call.</p>
      </Empty>
    );
  }
  return (
    <Table
      label="Clients without a session"
      rows={clients}
      keyOf={({ client, user, tenant }) => JSON.stringify([client, user, tenant])}
      stacks
      columns={[
        { title: 'Client', cell: ({ client }) => clientOf(client) },
        { title: 'Revision', look: 'm', cell: ({ revision }) => revision },
        { title: 'User', cell: ({ user }) => user },
        { title: 'Tenant', look: 'm', cell: ({ tenant }) => tenant },
        { title: 'Calls kept', look: 'num', short: 'calls', cell: ({ calls }) => calls },
        { title: 'Last seen', look: 'num nowrap', cell: ({ lastAt }) => `${since(lastAt)} ago` },
      ]}
    />
  );
}

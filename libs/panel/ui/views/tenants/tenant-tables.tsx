import type { TenantsView as Tenants } from '../../../src/panel.api.js';
import { countOf } from '../../format/number.js';
import { durationOf } from '../../format/time.js';
import { Empty, Panel } from '../../parts/blocks.js';
import { Table } from '../../parts/table.js';

export function Known({ view: { known } }: { readonly view: Tenants }) {
  return (
    <Panel title="Known tenants" aside={<span class="dim">since the start</span>}>
      {known.length === 0 ? (
        <Empty title="No tenant yet">
          <p>Tenants appear here with their first request.</p>
        </Empty>
      ) : (
        <Table
          label="Known tenants"
          rows={known}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Tenant', look: 'm', cell: ({ id }) => id },
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Status', cell: ({ status }) => status },
            { title: 'Requests', look: 'num', cell: (row) => countOf(row.requests ?? 0) },
            {
              title: 'In cache',
              look: 'num nowrap',
              cell: (row) => row.cacheMs && durationOf(row.cacheMs),
            },
          ]}
        />
      )}
    </Panel>
  );
}

export function Refusals({ view: { refused } }: { readonly view: Tenants }) {
  const all = refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title="Rejected since the start" aside={<span class="dim">{countOf(all)}</span>}>
      {refused.length === 0 ? (
        <Empty title="No request was rejected" />
      ) : (
        <Table
          label="Rejected requests"
          rows={refused}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Code', look: 'm warn', cell: ({ code }) => code },
            { title: 'Times', look: 'num', cell: ({ count }) => countOf(count) },
          ]}
        />
      )}
    </Panel>
  );
}

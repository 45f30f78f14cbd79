import { explorerHeaders } from '@fledge-internal/ui/explorer-headers';
import type { GraphqlMountView, GraphqlView as Graphql } from '../../src/panel.api.js';
import { countOf } from '../format/number.js';
import { Empty, Page, Panel } from '../parts/blocks.js';
import { Table } from '../parts/table.js';
import { graphql, useResource } from '../state/resource.js';
import { sentHeaders } from '../state/settings.js';
import { Loaded } from './loaded.js';

/** Do the endpoints work? Shows their counts and links to their explorers. */
export function GraphqlView() {
  useResource(graphql, 5000);
  return (
    <Loaded resource={graphql} title="GraphQL">
      {(view) => (
        <Page
          narrow
          title="GraphQL"
          intro="The explorer of an endpoint runs operations. It starts with the headers of “Send as”."
        >
          {view.mounts.length === 0 ? (
            <Empty title="No endpoint">
              <p>Import GraphqlMountModule.forRoot() to serve GraphQL.</p>
            </Empty>
          ) : (
            <Mounts view={view} />
          )}
        </Page>
      )}
    </Loaded>
  );
}

function Mounts({ view }: { readonly view: Graphql }) {
  return (
    <Panel>
      <Table
        label="Endpoints"
        rows={view.mounts}
        keyOf={({ path }) => path}
        stacks
        columns={[
          { title: 'Endpoint', look: 'm', cell: ({ path }) => path },
          { title: 'Runtime', cell: ({ runtime }) => runtime },
          {
            title: 'Queries',
            look: 'num',
            short: 'queries',
            cell: ({ queries }) => countOf(queries),
          },
          {
            title: 'Mutations',
            look: 'num',
            short: 'mutations',
            cell: ({ mutations }) => countOf(mutations),
          },
          {
            title: 'Errors',
            look: 'num',
            short: 'errors',
            cell: ({ errors }) => <Errors count={errors} />,
          },
          {
            title: 'Subscriptions open',
            look: 'num',
            short: 'subscriptions',
            cell: ({ subscriptions }) =>
              subscriptions && (
                <>
                  {countOf(subscriptions.active)}{' '}
                  <span class="dim">of {countOf(subscriptions.started)} started</span>
                </>
              ),
          },
          { title: 'Explorer', silent: true, cell: (mount) => <OpenExplorer mount={mount} /> },
        ]}
      />
    </Panel>
  );
}

/** Opens the explorer in this tab, because a new tab would not have the headers. */
function OpenExplorer({ mount: { path, url } }: { readonly mount: GraphqlMountView }) {
  const passHeaders = (): void => {
    const headers = sentHeaders.value.map(({ name, value }) => [name, value]);
    explorerHeaders(path).value = JSON.stringify(Object.fromEntries(headers), null, 2);
  };
  return (
    <a class="btn pri sm" href={url} aria-label={`Open explorer of ${path}`} onClick={passHeaders}>
      Open explorer
    </a>
  );
}

function Errors({ count }: { readonly count: number }) {
  return <span class={count > 0 ? 'warn' : ''}>{countOf(count)}</span>;
}

import type { GraphqlView as Graphql } from '../../../src/panel.api.js';
import { countOf } from '../../format/number.js';
import { Empty, Page, Panel } from '../../parts/blocks.js';
import { Table } from '../../parts/table.js';
import { graphql, useResource } from '../../state/resource.js';
import { Loaded } from '../loaded.js';
import { Answer } from './graphql-answer.js';
import { QueryForm } from './graphql-form.js';

/** Does the mount answer? Its counts, and a query box. */
export function GraphqlView() {
  useResource(graphql, 5000);
  return (
    <Loaded resource={graphql} title="GraphQL">
      {(view) => (
        <Page title="GraphQL" intro="Sent to the mount itself, with the headers of “Send as”.">
          {view.mounts.length === 0 ? (
            <Empty title="No mount">
              <p>Import GraphqlMountModule.forRoot() to serve GraphQL.</p>
            </Empty>
          ) : (
            <>
              <Mounts view={view} />
              <div class="two after">
                <QueryForm view={view} />
                <Answer />
              </div>
            </>
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
        label="Mounts"
        rows={view.mounts}
        keyOf={({ path }) => path}
        columns={[
          { title: 'Mount', look: 'm', cell: ({ path }) => path },
          { title: 'Runtime', cell: ({ runtime }) => runtime },
          { title: 'Queries', look: 'num', cell: ({ queries }) => countOf(queries) },
          { title: 'Mutations', look: 'num', cell: ({ mutations }) => countOf(mutations) },
          { title: 'Errors', look: 'num', cell: ({ errors }) => <Errors count={errors} /> },
          {
            title: 'Subscriptions open',
            look: 'num',
            cell: ({ subscriptions }) =>
              subscriptions && (
                <>
                  {countOf(subscriptions.active)}{' '}
                  <span class="dim">of {countOf(subscriptions.started)} started</span>
                </>
              ),
          },
        ]}
      />
    </Panel>
  );
}

function Errors({ count }: { readonly count: number }) {
  return <span class={count > 0 ? 'warn' : ''}>{countOf(count)}</span>;
}

import { signal } from '@preact/signals';
import type { GraphqlMountView, GraphqlView as Graphql } from '../../src/panel.api.js';
import { type AppAnswer, sendToApp } from '../api/app-request.js';
import { reasonOf } from '../api/panel-api.js';
import { countOf, msOf } from '../format/number.js';
import { isRecord, jsonFault, parsedJson } from '../format/json.js';
import { Empty, Note, Page, Panel, Scroll } from '../parts/blocks.js';
import { Button, Select } from '../parts/controls.js';
import { Copy } from '../parts/copy.js';
import { JsonTree } from '../parts/json-tree.js';
import { graphql, useResource } from '../state/resource.js';
import { sentHeaders } from '../state/settings.js';
import { Loaded } from './loaded.js';
import { SentAs } from './shell/sent-as.js';

const query = signal('{\n  __typename\n}');
const variables = signal('');
const mountAt = signal(0);
const busy = signal(false);
const answer = signal<AppAnswer | { readonly fault: string } | undefined>(undefined);

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
      <Scroll label="Mounts">
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">Mount</th>
              <th scope="col" class="hd">
                Runtime
              </th>
              <th scope="col" class="num">
                Queries
              </th>
              <th scope="col" class="num">
                Mutations
              </th>
              <th scope="col" class="num">
                Errors
              </th>
              <th scope="col" class="num">
                Subscriptions open
              </th>
            </tr>
          </thead>
          <tbody>
            {view.mounts.map((mount) => (
              <MountRow key={mount.path} mount={mount} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}

function MountRow({ mount }: { readonly mount: GraphqlMountView }) {
  const { path, runtime, queries, mutations, errors, subscriptions } = mount;
  return (
    <tr>
      <td class="m">{path}</td>
      <td class="hd">{runtime}</td>
      <td class="num">{countOf(queries)}</td>
      <td class="num">{countOf(mutations)}</td>
      <td class={`num ${errors > 0 ? 'warn' : ''}`}>{countOf(errors)}</td>
      <td class="num">
        {subscriptions && (
          <>
            {countOf(subscriptions.active)}{' '}
            <span class="dim">of {countOf(subscriptions.started)} started</span>
          </>
        )}
      </td>
    </tr>
  );
}

async function send(mount: GraphqlMountView): Promise<void> {
  busy.value = true;
  const body = { query: query.value, variables: parsedJson(variables.value) ?? undefined };
  try {
    answer.value = await sendToApp({
      url: mount.url,
      method: 'POST',
      headers: [
        ...sentHeaders.value,
        { name: 'content-type', value: 'application/json' },
        { name: 'accept', value: 'application/graphql-response+json, application/json' },
      ],
      body: JSON.stringify(body),
    });
  } catch (error) {
    answer.value = { fault: reasonOf(error) };
  }
  busy.value = false;
  await graphql.load();
}

function QueryForm({ view: { mounts } }: { readonly view: Graphql }) {
  const mount = mounts[mountAt.value] ?? mounts[0];
  const fault = variables.value.trim() === '' ? undefined : jsonFault(variables.value);
  return (
    <form
      class="stack"
      data-run
      onSubmit={(event) => {
        event.preventDefault();
        if (mount && fault === undefined && !busy.value) void send(mount);
      }}
    >
      {mounts.length > 1 && (
        <Select
          label="Mount"
          options={mounts.map(({ path }, at) => ({ value: at, label: path }))}
          value={mountAt.value}
          onChange={(value) => (mountAt.value = value)}
        />
      )}
      <Panel title={<label for="graphql-query">Query</label>}>
        <textarea
          class="in flush"
          id="graphql-query"
          rows={11}
          spellcheck={false}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
      </Panel>
      <Panel title={<label for="graphql-variables">Variables</label>}>
        <textarea
          class="in flush"
          id="graphql-variables"
          rows={3}
          spellcheck={false}
          placeholder="{ }"
          aria-invalid={fault !== undefined}
          value={variables.value}
          onInput={(event) => (variables.value = event.currentTarget.value)}
        />
      </Panel>
      {fault !== undefined && <p class="bad">Variables are not JSON: {fault}</p>}
      <div class="row">
        <Button look="pri" type="submit" disabled={busy.value}>
          Send <kbd>Ctrl ↵</kbd>
        </Button>
        <SentAs />
      </div>
    </form>
  );
}

function Answer() {
  const given = answer.value;
  if (given === undefined) {
    return (
      <Panel title="Answer">
        <Empty title="No answer yet">
          <p>Send the query to see what a client would get.</p>
        </Empty>
      </Panel>
    );
  }
  if ('fault' in given) {
    return (
      <Panel title="Answer">
        <div class="body" role="status">
          <Note look="err" title="Not sent">
            {given.fault}
          </Note>
        </div>
      </Panel>
    );
  }
  return <Received answer={given} />;
}

function Received({ answer: { status, ms, text } }: { readonly answer: AppAnswer }) {
  const value = parsedJson(text);
  const errors = isRecord(value) && Array.isArray(value['errors']) ? value['errors'] : [];
  const aside = (
    <>
      <span class={status >= 400 ? 'warn' : 'sub'}>{status}</span>
      <span class="dim">{msOf(ms)} ms</span>
      <Copy text={() => text} />
    </>
  );
  return (
    <Panel title="Answer" aside={aside}>
      <div class="body stack" role="status">
        {errors.filter(isRecord).map((error, at) => (
          <Note key={at} look="err" title={String(error['message'])}>
            {placeOf(error)}
          </Note>
        ))}
        {value === undefined ? <pre class="code">{text}</pre> : <JsonTree value={value} open={5} />}
      </div>
    </Panel>
  );
}

/** Where in the query an error is: "Line 3, column 17." */
function placeOf({ locations }: Readonly<Record<string, unknown>>): string {
  const [first] = Array.isArray(locations) ? locations.filter(isRecord) : [];
  return first ? `Line ${Number(first['line'])}, column ${Number(first['column'])}.` : '';
}

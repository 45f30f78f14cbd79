import { signal } from '@preact/signals';
import type { GraphqlMountView, GraphqlView as Graphql } from '../../../src/panel.api.js';
import { type AppAnswer, sendToApp } from '../../api/app-request.js';
import { reasonOf } from '../../api/panel-api.js';
import { jsonFault, parsedJson } from '../../format/json.js';
import { Panel } from '../../parts/blocks.js';
import { Button, Select } from '../../parts/controls.js';
import { graphql } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';
import { SentAs } from '../shell/sent-as.js';

const query = signal('{\n  __typename\n}');
const variables = signal('');
const mountAt = signal(0);
const busy = signal(false);
/** What the mount answered to the last query. */
export const answer = signal<AppAnswer | { readonly fault: string } | undefined>(undefined);

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

/** A query, its variables, and where it goes. */
export function QueryForm({ view: { mounts } }: { readonly view: Graphql }) {
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

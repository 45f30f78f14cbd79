import { curlOf } from '@fledge-internal/ui/curl';
import { Select } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import type { QueriesView as Queries, QueryRouteView } from '../../../src/panel.api.js';
import { queryParts, queryText } from '../../format/query-url.js';
import { Empty, Page, Panel } from '../../parts/blocks.js';
import { goTo, selected } from '../../state/navigation.js';
import { queries, useResource } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';
import { absolute } from '../app-url.js';
import { Loaded } from '../loaded.js';
import { QueryAnswer } from './query-answer.js';
import { QueryBuilder } from './query-builder.js';
import { builtUrl, draftOf } from './query-state.js';

/** Which URL makes this query? Shows a query builder for each route with `@Qs`. */
export function QueriesView() {
  useResource(queries);
  return (
    <Loaded resource={queries} title="Queries">
      {(view) => <Routes view={view} />}
    </Loaded>
  );
}

function Routes({ view: { routes } }: { readonly view: Queries }) {
  const route = routes.find(({ key }) => key === selected.value) ?? routes[0];
  const choice = routes.length > 1 && route && (
    <Select
      label="Route"
      class="routeselect"
      options={routes.map(({ key }) => ({ value: key, label: key }))}
      value={route.key}
      onChange={(key) => goTo('queries', key)}
    />
  );
  return (
    <Page
      title="Queries"
      intro={
        <>
          Every route with <code>@Qs</code>, built from its own configuration.
        </>
      }
      action={choice || <code class="dim">{route?.key}</code>}
    >
      {route ? (
        <div class="tsplit">
          <QueryBuilder key={route.key} route={route} />
          <div class="stack">
            <Url route={route} />
            <QueryAnswer key={route.key} route={route} />
          </div>
        </div>
      ) : (
        <Empty title="No route with @Qs">
          <p>Put @Qs() on a parameter of a list route to build its queries here.</p>
        </Empty>
      )}
    </Page>
  );
}

function Url({ route }: { readonly route: QueryRouteView }) {
  const draft = draftOf(route.key);
  const url = absolute(builtUrl(route));
  const headers = sentHeaders.value.map(({ name, value }) => [name, value] as const);
  const buttons = (
    <>
      <Copy label="Copy URL" text={() => url} />
      <Copy label="Copy curl" text={() => curlOf({ method: route.verb, url, headers })} />
    </>
  );
  return (
    <Panel title="URL" aside={buttons}>
      <div class="body">
        <div class="url">
          <i>{route.verb}</i> {route.path}
          {queryText(draft) !== '' &&
            queryParts(draft).map(([name, value], at) => (
              <span key={at}>
                <i>{at === 0 ? '?' : '&'}</i>
                <wbr />
                {name}=<b>{value}</b>
              </span>
            ))}
        </div>
      </div>
    </Panel>
  );
}

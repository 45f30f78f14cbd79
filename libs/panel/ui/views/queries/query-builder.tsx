import { Button } from '@fledge-internal/ui/controls';
import type { QueryRouteView } from '../../../src/panel.api.js';
import { pathParameters } from '../../format/query-url.js';
import { Panel } from '../../parts/blocks.js';
import { SentAs } from '../shell/sent-as.js';
import { Filters, Sorts } from './query-rows.js';
import { changeDraft, draftOf, pathValues, sendQuery } from './query-state.js';

interface BuilderProps {
  readonly route: QueryRouteView;
}

/** A form for the filters, sort order, search and page of one route. */
export function QueryBuilder({ route }: BuilderProps) {
  return (
    <Panel>
      <form
        class="body gaps"
        data-run
        onSubmit={(event) => {
          event.preventDefault();
          void sendQuery(route);
        }}
      >
        <PathValues route={route} />
        <Filters route={route} />
        <Sorts route={route} />
        <Paging route={route} />
        <div class="row">
          <Button look="pri" type="submit">
            Send <kbd>Ctrl ↵</kbd>
          </Button>
          <SentAs />
        </div>
      </form>
    </Panel>
  );
}

function PathValues({ route: { key, path } }: BuilderProps) {
  const names = pathParameters(path);
  const values = pathValues.value[key] ?? {};
  if (names.length === 0) return null;
  return (
    <div class="q">
      <div class="lbl">Path</div>
      {names.map((name) => (
        <label class="row m" key={name}>
          {name}
          <input
            class="in m"
            required
            value={values[name] ?? ''}
            onInput={(event) => {
              const next = { ...values, [name]: event.currentTarget.value };
              pathValues.value = { ...pathValues.value, [key]: next };
            }}
          />
        </label>
      ))}
    </div>
  );
}

function Paging({ route }: BuilderProps) {
  const { key, searchable, defaultLimit, maxLimit } = route;
  const { search, page, limit } = draftOf(key);
  return (
    <div class="row paging">
      {searchable && (
        <label class="q grow">
          Search
          <input
            class="in"
            value={search}
            onInput={(event) => changeDraft(key, { search: event.currentTarget.value })}
          />
        </label>
      )}
      <label class="q page">
        Page
        <input
          class="in num"
          type="number"
          min="1"
          placeholder="1"
          value={page}
          onInput={(event) => changeDraft(key, { page: event.currentTarget.value })}
        />
      </label>
      <label class="q page">
        Limit
        <input
          class="in num"
          type="number"
          min="1"
          max={maxLimit}
          placeholder={defaultLimit === undefined ? '' : String(defaultLimit)}
          value={limit}
          onInput={(event) => changeDraft(key, { limit: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

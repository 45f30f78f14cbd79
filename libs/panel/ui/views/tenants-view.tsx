import { signal } from '@preact/signals';
import type {
  PanelTenantAnswer,
  PanelTenantStep,
  TenantsView as Tenants,
} from '../../src/panel.api.js';
import type { Header } from '../api/app-request.js';
import { post, reasonOf } from '../api/panel-api.js';
import { countOf } from '../format/number.js';
import { durationOf } from '../format/time.js';
import { Empty, Note, Page, Panel, Scroll } from '../parts/blocks.js';
import { Button, Select, same } from '../parts/controls.js';
import { HeaderRows } from '../parts/header-rows.js';
import { tenants, useResource } from '../state/resource.js';
import { sentHeaders } from '../state/settings.js';
import { Loaded } from './loaded.js';

const method = signal('GET');
const path = signal('/');
const host = signal(location.host);
/** Undefined until they are changed: the headers of "Send as". */
const ownHeaders = signal<readonly Header[] | undefined>(undefined);
const answer = signal<PanelTenantAnswer | { readonly fault: string } | undefined>(undefined);

/** Which tenant would a request be, and why? */
export function TenantsView() {
  useResource(tenants, 5000);
  return (
    <Loaded resource={tenants} title="Tenants">
      {(view) => (
        <Page
          title="Which tenant would this request be?"
          intro="Describe a request. Each strategy answers in its order; the handler does not run."
        >
          <div class="tsplit">
            <Question />
            <Verdict view={view} />
          </div>
          <div class="tsplit after">
            <Known view={view} />
            <Refusals view={view} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

async function ask(): Promise<void> {
  const headers = (ownHeaders.value ?? sentHeaders.value).filter(({ name }) => name.trim() !== '');
  try {
    answer.value = await post('askTenant', {
      method: method.value,
      path: path.value,
      host: host.value,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    });
  } catch (error) {
    answer.value = { fault: reasonOf(error) };
  }
  await tenants.load();
}

const METHODS = same(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function Question() {
  return (
    <Panel title="Request">
      <form
        class="body gaps"
        data-run
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <div class="row">
          <Select
            label="Method"
            class="verbselect"
            options={METHODS}
            value={method.value}
            onChange={(value) => (method.value = value)}
          />
          <input
            class="in m"
            aria-label="Path"
            value={path.value}
            onInput={(event) => (path.value = event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <div class="lab">
            <label for="tenant-host">Host</label>
          </div>
          <input
            class="in m"
            id="tenant-host"
            value={host.value}
            onInput={(event) => (host.value = event.currentTarget.value)}
          />
        </div>
        <HeaderRows
          rows={ownHeaders.value ?? sentHeaders.value}
          onChange={(rows) => (ownHeaders.value = rows)}
        />
        <div class="row">
          <Button look="pri" type="submit">
            Ask <kbd>Ctrl ↵</kbd>
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Verdict({ view }: { readonly view: Tenants }) {
  const given = answer.value;
  if (given === undefined) {
    const { strategies, combine } = view;
    return (
      <Panel title="Answer">
        <Empty title="Not asked yet">
          <p>
            {strategies.length === 1 ? 'The strategy is ' : 'The strategies are '}
            {strategies.join(', ')}
            {strategies.length > 1 && `, combined as “${combine}”`}.
          </p>
        </Empty>
      </Panel>
    );
  }
  if ('fault' in given) {
    return (
      <Panel title="Answer">
        <div class="body" role="status">
          <Note look="err" title="Not answered">
            {given.fault}
          </Note>
        </div>
      </Panel>
    );
  }
  return (
    <Panel>
      <VerdictLine verdict={given.verdict} />
      <ol class="steps">
        {given.steps.map((step, at) => (
          <Step key={at} step={step} place={at + 1} />
        ))}
      </ol>
      {given.verdict.message !== undefined && (
        <div class="body">
          <Note>{given.verdict.message}</Note>
        </div>
      )}
      {view.verifies && given.verdict.status === undefined && (
        <div class="body">
          <Note title="verify was not tested">
            It compares the tenant with the user after the guards, which do not run here.
          </Note>
        </div>
      )}
    </Panel>
  );
}

function VerdictLine({ verdict }: Pick<PanelTenantAnswer, 'verdict'>) {
  const { tenant, status, code } = verdict;
  if (status !== undefined) {
    return (
      <div class="verdict" role="status">
        <strong class="err">{status}</strong>
        {code !== undefined && <code>{code}</code>}
        <span class="sub">the handler would not run</span>
      </div>
    );
  }
  return (
    <div class="verdict" role="status">
      <strong>{tenant ?? 'No tenant'}</strong>
      <span class="sub">
        {tenant === undefined
          ? 'routes that require a tenant would refuse this request'
          : 'the guards would run next'}
      </span>
    </div>
  );
}

function Step({ step, place }: { readonly step: PanelTenantStep; readonly place: number }) {
  const { name, asked, value, text, ok } = step;
  const look = !asked ? '' : ok ? (value === undefined ? '' : 'yes') : 'no';
  return (
    <li>
      <span class={`dot ${look}`}>{ok ? place : '✕'}</span>
      <div class={asked ? '' : 'skip0'}>
        <div class="kk">
          <span class="k">{name}</span>
          {value === undefined ? (
            <span class="dim">{asked ? 'nothing' : 'not asked'}</span>
          ) : (
            <code class={ok ? '' : 'err'}>{value}</code>
          )}
        </div>
        <div class="sub small">{text}</div>
      </div>
    </li>
  );
}

function Known({ view: { known } }: { readonly view: Tenants }) {
  return (
    <Panel title="Known tenants" aside={<span class="dim">since the start</span>}>
      {known.length === 0 ? (
        <Empty title="No tenant yet">
          <p>Tenants appear here with their first request.</p>
        </Empty>
      ) : (
        <Scroll label="Known tenants">
          <table class="tbl">
            <thead>
              <tr>
                <th scope="col">Tenant</th>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
                <th scope="col" class="num">
                  Requests
                </th>
                <th scope="col" class="num">
                  In cache
                </th>
              </tr>
            </thead>
            <tbody>
              {known.map(({ id, name, status, requests, cacheMs }) => (
                <tr key={id}>
                  <td class="m">{id}</td>
                  <td>{name}</td>
                  <td>{status}</td>
                  <td class="num">{requests === undefined ? '' : countOf(requests)}</td>
                  <td class="num nowrap">{cacheMs === undefined ? '' : durationOf(cacheMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  );
}

function Refusals({ view: { refused } }: { readonly view: Tenants }) {
  const all = refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title="Refused since the start" aside={<span class="dim">{countOf(all)}</span>}>
      {refused.length === 0 ? (
        <Empty title="No request was refused" />
      ) : (
        <Scroll label="Refused requests">
          <table class="tbl">
            <thead>
              <tr>
                <th scope="col">Answer</th>
                <th scope="col" class="num">
                  Times
                </th>
              </tr>
            </thead>
            <tbody>
              {refused.map(({ code, count }) => (
                <tr key={code}>
                  <td class="m warn">{code}</td>
                  <td class="num">{countOf(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  );
}

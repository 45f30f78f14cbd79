import type {
  PanelTenantAnswer,
  PanelTenantStep,
  TenantsView as Tenants,
} from '../../../src/panel.api.js';
import { Empty, FailedAnswer, Note, Panel } from '../../parts/blocks.js';
import { answer } from './tenant-question.js';

/** Shows the tenant of the described request, and the result of each step. */
export function Verdict({ view }: { readonly view: Tenants }) {
  const given = answer.value;
  if (given === undefined) {
    const { strategies, combine } = view;
    return (
      <Panel title="Result">
        <Empty title="Not resolved yet">
          <p>
            {strategies.length === 1 ? 'The strategy is ' : 'The strategies are '}
            {strategies.join(', ')}
            {strategies.length > 1 && `, combined as “${combine}”`}.
          </p>
        </Empty>
      </Panel>
    );
  }
  if ('fault' in given) return <FailedAnswer title="Not resolved" fault={given.fault} />;
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
    </Panel>
  );
}

function VerdictLine({ verdict }: Pick<PanelTenantAnswer, 'verdict'>) {
  const { tenant, status, code } = verdict;
  if (status !== undefined) {
    return (
      <div class="verdict" role="status">
        <strong class="warn">{status}</strong>
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
          ? 'routes that require a tenant would reject this request'
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
            <code class={ok ? '' : 'warn'}>{value}</code>
          )}
        </div>
        <div class="sub small">{text}</div>
      </div>
    </li>
  );
}

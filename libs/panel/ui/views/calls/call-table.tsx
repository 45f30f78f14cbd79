import type { PanelCall } from '../../../src/panel.api.js';
import { errorText, severityOf, statusText } from '../../format/calls.js';
import { countOf, msOf } from '../../format/number.js';
import { clockOf } from '../../format/time.js';
import { freshFrom } from '../../state/calls.js';
import { goTo } from '../../state/navigation.js';
import { clientOf } from '../client-name.js';

interface TableProps {
  readonly calls: readonly PanelCall[];
  readonly current: number | undefined;
}

/**
 * The explicit roles are needed, because narrow views show table rows as blocks, and browsers then
 * ignore the table semantics.
 */
export function CallTable({ calls, current }: TableProps) {
  return (
    <table class="tbl" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <Head name="Time" />
          <Head name="Tool" />
          <Head name="Status" />
          <Head name="ms" class="num" />
          <Head name="Client" class="h3c" />
          <Head name="Tenant" />
          <Head name="User" />
          <Head name="Error" class="h2c" />
        </tr>
      </thead>
      <tbody role="rowgroup">
        {calls.map((call) => (
          <Row key={call.id} call={call} selected={call.id === current} />
        ))}
      </tbody>
    </table>
  );
}

function Head(props: { readonly name: string; readonly class?: string }) {
  return (
    <th role="columnheader" scope="col" class={props.class}>
      {props.name}
    </th>
  );
}

function Row({ call, selected }: { call: PanelCall; selected: boolean }) {
  const { id, at, tool, client, tenant, user } = call;
  const reason = errorText(call);
  const severity = severityOf(call);
  return (
    <tr
      role="row"
      class={`${selected ? 'current' : ''} ${id >= freshFrom.peek() ? 'new' : ''}`}
      onClick={() => goTo('calls', String(id))}
    >
      <td role="cell" class="tm m dim">
        {clockOf(at)}
      </td>
      <td role="cell" class="tool">
        <button type="button" class="rowbtn" data-row data-call={id} aria-current={selected}>
          {tool}
        </button>
      </td>
      <td role="cell" class="stc">
        <Status call={call} />
      </td>
      <td role="cell" class="msc num">
        <Duration ms={call.ms} />
      </td>
      <td role="cell" class="cl h3c sub">
        {clientOf(client)}
      </td>
      <td role="cell" class="cl m">
        {tenant}
      </td>
      <td role="cell" class="cl">
        {user}
      </td>
      <td role="cell" class={`er h2c ec ${severity}`} title={reason}>
        {reason}
      </td>
      <td role="cell" class="who">
        {[user, tenant].filter(Boolean).join(', ') || clientOf(client)}
      </td>
    </tr>
  );
}

export function Status({ call }: { readonly call: PanelCall }) {
  const severity = severityOf(call);
  return (
    <span
      class={`st ${severity === 'ok' ? 'sub' : `${severity} bad`}`}
      title={MEANINGS[call.outcome]}
    >
      {statusText(call)}
    </span>
  );
}

const MEANINGS: Readonly<Record<PanelCall['outcome'], string | undefined>> = {
  ok: undefined,
  error: 'The route failed',
  refused: 'Rejected before the route ran, for example because of invalid arguments',
  cancelled: 'Cancelled by the client',
  'input-required': 'The tool asks the user first',
};

/** A bar with a logarithmic scale from 1 ms to 30 s. */
function Duration({ ms }: { readonly ms: number }) {
  const share = Math.min(100, (Math.log10(ms + 1) / Math.log10(30_000)) * 100);
  return (
    <span class="msb">
      <i aria-hidden="true">
        <b style={{ width: `${share.toFixed(1)}%` }} />
      </i>
      <span class="v">
        {ms < 1000 ? msOf(ms) : countOf(Math.round(ms))}
        <span class="sr"> ms</span>
      </span>
    </span>
  );
}

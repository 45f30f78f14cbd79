import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isRecord } from '@fledge-internal/ui/json';
import { Button, IconButton } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import { curlOf } from '@fledge-internal/ui/curl';
import type { MeasuredTool, PanelCall } from '../../../src/panel.api.js';
import { errorText, severityOf } from '../../format/calls.js';
import { bytesOf, countOf, msOf, tokensOf } from '../../format/number.js';
import { clockOf } from '../../format/time.js';
import { toolRequest } from '../../format/tool-request.js';
import { Note } from '../../parts/blocks.js';
import { JsonTree } from '../../parts/json-tree.js';
import { goTo } from '../../state/navigation.js';
import { tools } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';
import { draft } from '../../state/tool-runs.js';
import { absolute } from '../app-url.js';
import { clientOf } from '../client-name.js';
import { Status } from './call-table.js';
import { CallResponse } from './call-response.js';
import { CallTrace } from './call-trace.js';

interface DrawerProps {
  readonly call: PanelCall;
  readonly close: () => void;
}

/** Shows one call: why it failed, who called, the arguments, and the trace. */
export function CallDrawer({ call, close }: DrawerProps) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => drawer.current?.focus(), []);
  const severity = severityOf(call);
  const { error, spans = [] } = call;
  const tool = useToolOf(call);
  return (
    <aside class="drawer" aria-label="Call" tabIndex={-1} ref={drawer} data-close>
      <header>
        <div class="row">
          <h2 class="m grow cut">{call.tool}</h2>
          {call.kind === 'tool' && (
            <Button small onClick={() => runAgain(call)}>
              Run again
            </Button>
          )}
          <IconButton label="Close" onClick={close} />
        </div>
        <div class="row wrap">
          <Status call={call} />
          <span class="sub">{msOf(call.ms)} ms</span>
          <span class="dim m">{clockOf(call.at)}</span>
          <span class="grow" />
          <Copy label="Copy link" text={() => location.href} />
          {tool && <Copy label="Copy curl" text={() => curl(tool, call)} />}
        </div>
      </header>
      {error && (
        <section>
          <Note look={severity === 'err' ? 'err' : 'warn'} title={errorText(call)}>
            {error.cure}
          </Note>
        </section>
      )}
      <section>
        <Facts call={call} tool={tool} />
      </section>
      <section>
        <h3>Arguments</h3>
        {call.arguments === undefined ? (
          <p class="sub">None</p>
        ) : (
          <JsonTree value={call.arguments} open={3} />
        )}
      </section>
      {call.kind === 'tool' && (
        <section>
          <h3>Response</h3>
          <CallResponse id={call.id} />
        </section>
      )}
      <section>
        <details open={spans.length > 0}>
          <summary>
            <h3>Trace</h3>
          </summary>
          <CallTrace call={call} />
        </details>
      </section>
    </aside>
  );
}

/** Opens the tool's form with the recorded arguments. The user must retype redacted arguments. */
function runAgain({ tool, arguments: args }: PanelCall): void {
  if (isRecord(args)) draft(tool, args);
  goTo('tools', tool);
}

/** Returns the tool of a call once the list of tools was read. */
function useToolOf({ tool: name }: PanelCall): MeasuredTool | undefined {
  const catalogue = tools.data.value;
  useEffect(() => void (tools.data.peek() ?? tools.load()), []);
  return catalogue?.installed ? catalogue.tools.find((one) => one.name === name) : undefined;
}

/**
 * Returns the request of the tool's route as a curl command. Redacted arguments stay redacted, and
 * the headers are those of "Send as".
 */
function curl(tool: MeasuredTool, { arguments: args }: PanelCall): string {
  const { method, url, body } = toolRequest(tool, isRecord(args) ? args : {});
  const headers = sentHeaders.value.map(({ name, value }) => [name, value] as const);
  return curlOf({ method, url: absolute(url), headers, body });
}

function Facts(props: { readonly call: PanelCall; readonly tool: MeasuredTool | undefined }) {
  const { call, tool } = props;
  const { user, tenant, tenantSource, client, revision, resultBytes } = call;
  return (
    <dl class="kv">
      {tool && <Fact name="Route">{<span class="m">{`${tool.verb} ${tool.path}`}</span>}</Fact>}
      {user !== undefined && <Fact name="User">{user}</Fact>}
      {tenant !== undefined && (
        <Fact name="Tenant">
          <span class="m">{tenant}</span>{' '}
          {tenantSource !== undefined && <span class="dim">from {tenantSource}</span>}
        </Fact>
      )}
      {client !== undefined && (
        <Fact name="Client">
          {clientOf(client)}{' '}
          {revision !== undefined && <span class="dim">protocol {revision}</span>}
        </Fact>
      )}
      {resultBytes !== undefined && (
        <Fact name="Result">
          {bytesOf(resultBytes)}, about {countOf(tokensOf(resultBytes))} tokens
        </Fact>
      )}
    </dl>
  );
}

function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

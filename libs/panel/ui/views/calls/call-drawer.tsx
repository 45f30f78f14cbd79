import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PanelCall } from '../../../src/panel.api.js';
import { errorText, severityOf } from '../../format/calls.js';
import { bytesOf, countOf, msOf, tokensOf } from '../../format/number.js';
import { clockOf } from '../../format/time.js';
import { isRecord } from '../../format/json.js';
import { Note } from '../../parts/blocks.js';
import { Button, IconButton } from '../../parts/controls.js';
import { JsonTree } from '../../parts/json-tree.js';
import { goTo } from '../../state/navigation.js';
import { tools } from '../../state/resource.js';
import { draft } from '../../state/tool-runs.js';
import { clientOf } from '../client-name.js';
import { Status } from './call-table.js';
import { CallTrace } from './call-trace.js';

interface DrawerProps {
  readonly call: PanelCall;
  readonly close: () => void;
}

/** One call: why it failed, who called, with what, and its trace. */
export function CallDrawer({ call, close }: DrawerProps) {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => drawer.current?.focus(), []);
  const severity = severityOf(call);
  const { error } = call;
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
        <Facts call={call} />
      </section>
      <section>
        <h3>Arguments</h3>
        {call.arguments === undefined ? (
          <p class="sub">None</p>
        ) : (
          <JsonTree value={call.arguments} open={3} />
        )}
      </section>
      <section>
        <h3>Trace</h3>
        <CallTrace call={call} />
      </section>
    </aside>
  );
}

/** Opens the tool's form with the recorded arguments, of which redacted ones must be typed anew. */
function runAgain({ tool, arguments: args }: PanelCall): void {
  if (isRecord(args)) draft(tool, args);
  goTo('tools', tool);
}

function Facts({ call }: { readonly call: PanelCall }) {
  const { tool: name, user, tenant, tenantSource, client, revision, resultBytes } = call;
  const catalogue = tools.data.value;
  useEffect(() => void (tools.data.peek() ?? tools.load()), []);
  const tool = catalogue?.installed ? catalogue.tools.find((one) => one.name === name) : undefined;
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
          {revision !== undefined && <span class="dim">revision {revision}</span>}
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

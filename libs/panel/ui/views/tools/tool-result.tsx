import { useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import { Tabs } from '@fledge-internal/ui/tabs';
import type { MeasuredTool, PanelCall } from '../../../src/panel.api.js';
import type { McpAnswer } from '../../api/mcp-call.js';
import { type Severity, severityOf } from '../../format/calls.js';
import { bytesOf, countOf, msOf, tokensOf } from '../../format/number.js';
import { durationOf } from '../../format/time.js';
import { Empty, Note, Skeleton } from '../../parts/blocks.js';
import { now } from '../../state/clock.js';
import { hrefOf } from '../../state/navigation.js';
import { recorded, runs } from '../../state/tool-runs.js';
import { CallTrace } from '../calls/call-trace.js';
import { HttpRequest } from './http-request-tab.js';
import { StructuredResult, TextResult } from './result-tabs.js';
import { ToolQuestion } from './tool-question.js';

interface ResultProps {
  readonly tool: MeasuredTool;
}

/** Shows the last result of a tool in this tab. */
export function ToolResult(props: ResultProps) {
  return (
    <section class="out" aria-label="Result">
      <Outcome {...props} />
    </section>
  );
}

function Outcome(props: ResultProps) {
  const { name } = props.tool;
  const run = runs.value[name];
  switch (run?.kind) {
    case undefined:
      return <NotRun {...props} />;
    case 'busy':
      return <Busy since={run.since} cancel={run.cancel} />;
    case 'failed':
      return (
        <>
          <Status text="Not run" severity="warn" />
          <div class="tp">
            <Note look="warn" title="The endpoint rejected the call">
              {run.reason}
            </Note>
          </div>
        </>
      );
    case 'asks':
      return <ToolQuestion tool={name} questions={run.answer.questions} />;
    case 'done':
      return <Done {...props} answer={run.answer} call={recorded.value.get(name)} />;
  }
}

function NotRun(props: ResultProps) {
  const tab = useSignal('Result');
  return (
    <Tabs id="result" label="Result" names={['Result', 'HTTP request']} chosen={tab}>
      {tab.value === 'Result' ? (
        <Empty title="No result yet">
          <p>Run the tool to see what an agent would get.</p>
        </Empty>
      ) : (
        <HttpRequest {...props} />
      )}
    </Tabs>
  );
}

function Busy({ since, cancel }: { readonly since: number; readonly cancel: () => void }) {
  return (
    <>
      <div class="stat" role="status">
        <b>Running</b>
        <span class="sub" aria-hidden="true">
          {durationOf(now.value - since)}
        </span>
        <span class="grow" />
        <Button small onClick={cancel}>
          Cancel
        </Button>
      </div>
      <Skeleton />
    </>
  );
}

interface StatusProps {
  readonly text: string;
  readonly severity: Severity;
  readonly answer?: McpAnswer;
  readonly call?: PanelCall | undefined;
}

function Status({ text, severity, answer, call }: StatusProps) {
  return (
    <div class="stat" role="status">
      <b class={severity === 'ok' ? '' : severity}>{text}</b>
      {answer && (
        <>
          <span class="sub">{msOf(call?.ms ?? answer.ms)} ms</span>
          <span class="sub">
            {bytesOf(answer.bytes)}, about {countOf(tokensOf(answer.bytes))} tokens
          </span>
        </>
      )}
      <span class="grow" />
      {call && <a href={hrefOf('calls', String(call.id))}>Show in calls</a>}
    </div>
  );
}

const TABS = ['Text', 'Structured', 'HTTP request', 'Trace'];

const FAILED = 'isError: the call failed, and the agent reads the text as the reason.';

function Done(
  props: ResultProps & { readonly answer: McpAnswer; readonly call: PanelCall | undefined },
) {
  const { answer, call, tool } = props;
  const tab = useSignal('Text');
  const failed = answer.result['isError'] === true;
  const severity = call ? severityOf(call) : failed ? 'warn' : 'ok';
  const status = call?.status === undefined ? '' : `${call.status} `;
  return (
    <>
      <Status text={`${status}${failed ? 'isError' : 'OK'}`} {...{ severity, answer, call }} />
      {failed && <p class="hint inset">{FAILED}</p>}
      <Tabs id="result" label="Result" names={TABS} chosen={tab}>
        {tab.value === 'Text' && <TextResult result={answer.result} />}
        {tab.value === 'Structured' && (
          <StructuredResult result={answer.result} declared={tool.outputSchema !== undefined} />
        )}
        {tab.value === 'HTTP request' && <HttpRequest {...props} />}
        {tab.value === 'Trace' && <CallTrace call={call} />}
      </Tabs>
    </>
  );
}

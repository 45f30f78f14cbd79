import type { AppAnswer } from '../../api/app-request.js';
import { msOf } from '../../format/number.js';
import { isRecord, parsedJson } from '../../format/json.js';
import { Empty, FailedAnswer, Note, Panel } from '../../parts/blocks.js';
import { Copy } from '../../parts/copy.js';
import { JsonTree } from '../../parts/json-tree.js';
import { answer } from './graphql-form.js';

/** The last answer, its errors first. */
export function Answer() {
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
  if ('fault' in given) return <FailedAnswer title="Not sent" fault={given.fault} />;
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

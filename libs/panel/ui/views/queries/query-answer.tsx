import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { prettyJson } from '@fledge-internal/ui/json';
import { Button } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import { Tabs } from '@fledge-internal/ui/tabs';
import type { PanelQueryAnswer, QueryRouteView } from '../../../src/panel.api.js';
import type { AppAnswer } from '../../api/app-request.js';
import { rowsOf, type Rows } from '../../format/rows.js';
import { countOf, msOf } from '../../format/number.js';
import { queryArguments } from '../../format/query-url.js';
import { Empty, Note, Panel, Scroll } from '../../parts/blocks.js';
import { JsonTree } from '../../parts/json-tree.js';
import { goTo } from '../../state/navigation.js';
import { tools } from '../../state/resource.js';
import { draft } from '../../state/tool-runs.js';
import { answers, draftOf } from './query-state.js';

const tab = signal('Response');
const TABS = ['Response', 'Parsed query', 'As tool arguments'];

/**
 * Shows the response of the route, how the route parsed the query, and the same query as tool
 * arguments.
 */
export function QueryAnswer({ route }: { readonly route: QueryRouteView }) {
  const { answer, parsed, fault } = answers.value[route.key] ?? {};
  return (
    <Panel>
      <Tabs id="query" label="Response" names={TABS} chosen={tab}>
        {fault !== undefined && (
          <Note look="err" title="Not sent">
            {fault}
          </Note>
        )}
        {fault === undefined && tab.value === 'Response' && <Answer answer={answer} />}
        {fault === undefined && tab.value === 'Parsed query' && <Parsed parsed={parsed} />}
        {tab.value === 'As tool arguments' && <ToolArguments route={route} />}
      </Tabs>
    </Panel>
  );
}

function NotSent() {
  return (
    <Empty title="Not sent yet">
      <p>Send the query to see the response of the route.</p>
    </Empty>
  );
}

function Answer({ answer }: { readonly answer: AppAnswer | undefined }) {
  if (!answer) return <NotSent />;
  const { status, ms, text } = answer;
  const rows = rowsOf(text);
  return (
    <>
      <div class="stat flat" role="status">
        <b class={status >= 500 ? 'err' : status >= 400 ? 'warn' : ''}>{status}</b>
        <span class="sub">{msOf(ms)} ms</span>
        {rows && <span class="sub">{rows.summary}</span>}
      </div>
      {rows ? <RowTable rows={rows} /> : <pre class="code">{prettyJson(text)}</pre>}
    </>
  );
}

function RowTable({ rows: { columns, cells } }: { readonly rows: Rows }) {
  if (cells.length === 0) {
    return (
      <Empty title="No rows">
        <p>The query is valid. No row matches it.</p>
      </Empty>
    );
  }
  return (
    <Scroll label="Rows">
      <table class="tbl flat">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Parsed({ parsed }: { readonly parsed: PanelQueryAnswer | undefined }) {
  if (!parsed) return <NotSent />;
  const { dropped } = parsed;
  return (
    <div class="stack">
      {dropped.length > 0 && (
        <Note
          look="warn"
          title={`${countOf(dropped.length)} ${dropped.length === 1 ? 'part is' : 'parts are'} not allowed`}
        >
          {dropped.map(({ text, reason }) => (
            <span class="line" key={text}>
              <code>{text}</code> {reason}
            </span>
          ))}
        </Note>
      )}
      <JsonTree value={parsed.parsed} open={4} />
    </div>
  );
}

function ToolArguments({ route: { key, verb, path } }: { readonly route: QueryRouteView }) {
  const args = queryArguments(draftOf(key));
  const text = JSON.stringify(args, null, 2);
  const catalogue = tools.data.value;
  useEffect(() => void (tools.data.peek() ?? tools.load()), []);
  const found = catalogue?.installed ? catalogue.tools : [];
  const tool = found.find((one) => one.verb === verb && one.path === path);
  const openTool = (name: string): void => {
    draft(name, args);
    goTo('tools', name);
  };
  return (
    <>
      <div class="bar2">
        <span class="dim grow">For the tool of this route</span>
        {tool && (
          <Button look="quiet" small onClick={() => openTool(tool.name)}>
            Open in {tool.name}
          </Button>
        )}
        <Copy text={() => text} />
      </div>
      <pre class="code">{text}</pre>
    </>
  );
}

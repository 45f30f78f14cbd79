import { Copy } from '@fledge-internal/ui/copy';
import type { LintFinding, LintView as Lint, ToolCost } from '../../src/panel.api.js';
import { bytesOf, countOf } from '../format/number.js';
import { Empty, Page, Panel, Prose, Scroll } from '../parts/blocks.js';
import { hrefOf } from '../state/navigation.js';
import { lint, useResource } from '../state/resource.js';
import { Figure } from './calls/call-figures.js';
import { Loaded } from './loaded.js';

/** What do the tools cost? Shows the tokens of each tool, and what to fix. */
export function LintView() {
  useResource(lint);
  return (
    <Loaded resource={lint} title="Catalogue lint">
      {(view) => (
        <Page
          title="Catalogue lint"
          intro="What a client reads before its first call. Tokens are bytes divided by four."
          action={<Copy plain label="Copy report" text={() => JSON.stringify(view, null, 2)} />}
        >
          <Summary lint={view} />
          <div class="stack">
            <Sizes tools={view.tools} />
            <Findings findings={view.findings} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function Summary({ lint: view }: { readonly lint: Lint }) {
  const { tokens, tokenLimit, bytes, tools, findings } = view;
  const share = (tokens / tokenLimit) * 100;
  const [size = '', unit = ''] = bytesOf(bytes).split(' ');
  return (
    <div class="sum">
      <dl class="figs">
        <Figure name="Tokens" value={countOf(tokens)} />
        <Figure name="Size" value={size} unit={unit} />
        <Figure name="Tools" value={countOf(tools.length)} />
        <Figure
          name="Findings"
          value={countOf(findings.length)}
          look={findings.length > 0 ? 'warn' : ''}
        />
      </dl>
      <div>
        <div
          class="meter"
          role="img"
          aria-label={`${countOf(tokens)} of ${countOf(tokenLimit)} tokens`}
        >
          <b style={{ width: `${Math.min(100, share).toFixed(2)}%` }} />
        </div>
        <div class="row between dim small">
          <span>
            {share.toFixed(1)} % of {countOf(tokenLimit)}, where Claude Code warns
          </span>
          <span class="hd">{countOf(tokenLimit)}</span>
        </div>
      </div>
    </div>
  );
}

function Legend() {
  return (
    <div class="legend">
      <span>
        <i class="c1" />
        input schema
      </span>
      <span>
        <i class="c2" />
        description
      </span>
      <span class="hd">
        <i class="c3" />
        name, annotations
      </span>
    </div>
  );
}

function Sizes({ tools }: { readonly tools: readonly ToolCost[] }) {
  const widest = Math.max(1, ...tools.map(({ bytes }) => bytes));
  return (
    <Panel title="Size by tool" aside={<Legend />}>
      <Scroll label="Size by tool">
        <table class="tbl lt">
          <thead class="sr">
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Parts</th>
              <th scope="col">Bytes</th>
              <th scope="col">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {tools.map((tool) => (
              <SizeRow key={tool.name} tool={tool} widest={widest} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}

function SizeRow({ tool, widest }: { readonly tool: ToolCost; readonly widest: number }) {
  const { name, bytes, tokens, schemaBytes, descriptionBytes, otherBytes, parameters } = tool;
  const share = (part: number) => ({ width: `${((part / widest) * 100).toFixed(2)}%` });
  const label = `schema ${schemaBytes}, description ${descriptionBytes}, rest ${otherBytes} bytes`;
  return (
    <tr>
      <td class="m nowrap name">
        <a href={hrefOf('tools', name)}>{name}</a>
      </td>
      <td class="parts">
        <div class="bars" role="img" aria-label={label}>
          <i class="c1" style={share(schemaBytes)} />
          <i class="c2" style={share(descriptionBytes)} />
          <i class="c3" style={share(otherBytes)} />
        </div>
        {parameters.length > 1 && (
          <details class="wide">
            <summary>What makes it wide</summary>
            <div class="exp">
              {parameters.map((parameter) => (
                <div key={parameter.name}>
                  <span class="m cut">{parameter.name}</span>
                  <i class="c1" style={share(parameter.bytes)} />
                  <span class="num">{countOf(parameter.bytes)} B</span>
                </div>
              ))}
            </div>
          </details>
        )}
      </td>
      <td class="num nowrap hd">{countOf(bytes)} B</td>
      <td class="num nowrap">
        {countOf(tokens)} <span class="dim">tokens</span>
      </td>
    </tr>
  );
}

function Findings({ findings }: { readonly findings: readonly LintFinding[] }) {
  return (
    <Panel title="Findings" aside={<span class="dim">most urgent first</span>}>
      {findings.length === 0 && (
        <Empty title="Nothing to mend">
          <p>The tools break no rule of clients and directories, and the list is small.</p>
        </Empty>
      )}
      {findings.map((finding) => (
        <Finding key={`${finding.kind} ${finding.title}`} finding={finding} />
      ))}
    </Panel>
  );
}

/** Number of places shown for one finding. Further places are only counted. */
const MOST_PLACES = 12;

function Finding({ finding }: { readonly finding: LintFinding }) {
  const { kind, severity, title, text, cure, example, places } = finding;
  return (
    <div class="finding">
      <span class={`tag ${severity === 'info' ? '' : 'warn'}`}>{kind.replaceAll('-', ' ')}</span>
      <div>
        <h3>{title}</h3>
        <p>
          <Prose text={text} />
        </p>
        <p>
          <Prose text={cure} />
        </p>
        <ul class="places">
          {places.slice(0, MOST_PLACES).map(({ tool, parameter, detail }) => (
            <li key={`${tool ?? ''} ${parameter ?? ''}`}>
              {tool !== undefined && <a href={hrefOf('tools', tool)}>{tool}</a>}
              {parameter !== undefined && <code> {parameter}</code>}
              {detail !== undefined && ` ${detail}`}
            </li>
          ))}
          {places.length > MOST_PLACES && <li>{places.length - MOST_PLACES} more</li>}
        </ul>
        {example !== undefined && <pre class="code">{example}</pre>}
      </div>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import type { MeasuredTool, ToolsView as Tools } from '../../../src/panel.api.js';
import { bytesOf, countOf, plural, tokensOf } from '../../format/number.js';
import { Empty } from '../../parts/blocks.js';
import { Find } from '../../parts/find.js';
import { hrefOf, selected } from '../../state/navigation.js';
import { tools, useResource } from '../../state/resource.js';
import { Loaded } from '../loaded.js';
import { ToolDetail } from './tool-detail.js';

/** What does an agent see? Shows the list of tools, with a form and a result for one of them. */
export function ToolsView() {
  useResource(tools);
  return (
    <Loaded resource={tools} title="Tools">
      {(view) => <Catalogue view={view} />}
    </Loaded>
  );
}

function Catalogue({ view }: { readonly view: Tools }) {
  const first = view.tools[0];
  if (!first) return <NoTools />;
  const tool = view.tools.find(({ name }) => name === selected.value) ?? first;
  return (
    <div class={`view tools ${selected.value === undefined ? '' : 'open'}`}>
      <ToolList view={view} current={tool.name} />
      <ToolDetail key={tool.name} tool={tool} />
    </div>
  );
}

function NoTools() {
  return (
    <div class="view">
      <h1 class="sr">Tools</h1>
      <Empty title="No tools yet">
        <p>Put @McpTool on a method of a controller, and start the application again.</p>
        <pre class="code">{"@McpTool({ description: 'Reads one task' })"}</pre>
      </Empty>
    </div>
  );
}

function ToolList({ view, current }: { readonly view: Tools; readonly current: string }) {
  const text = useSignal('');
  const wanted = text.value.trim().toLowerCase();
  const shown = view.tools.filter(({ name, path }) =>
    `${name} ${path}`.toLowerCase().includes(wanted),
  );
  const bytes = view.tools.reduce((sum, tool) => sum + tool.bytes, 0);
  return (
    <nav class="list" aria-label="Tools">
      <Find label="Filter tools" hint="Filter tools" text={text} />
      {shown.map((tool) => (
        <ToolItem key={tool.name} tool={tool} current={tool.name === current} />
      ))}
      {shown.length === 0 && (
        <Empty title="No tool matches">
          <p>{plural(view.tools.length, 'tool')} hidden by the filter.</p>
          <Button small onClick={() => (text.value = '')}>
            Clear filter
          </Button>
        </Empty>
      )}
      <footer>
        {plural(view.tools.length, 'tool')}, {bytesOf(bytes)}, about {countOf(tokensOf(bytes))}{' '}
        tokens
      </footer>
    </nav>
  );
}

function ToolItem({ tool, current }: { readonly tool: MeasuredTool; readonly current: boolean }) {
  return (
    <a class="item" data-row href={hrefOf('tools', tool.name)} aria-current={current}>
      <span class="m cut">{tool.name}</span>
      <span class="t num nowrap">{countOf(tool.tokens)} tok</span>
      <span class="verb cut">
        {tool.verb} {tool.path}
      </span>
    </a>
  );
}

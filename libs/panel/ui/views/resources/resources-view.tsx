import { type Signal, useSignal } from '@preact/signals';
import type { ResourcesView as Resources } from '../../../src/panel.api.js';
import { callMcp } from '../../api/mcp-call.js';
import { reasonOf } from '../../api/panel-api.js';
import { Empty, Page, Panel } from '../../parts/blocks.js';
import { resources, useResource } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';
import { Loaded } from '../loaded.js';
import { Answer, type Reading } from './resource-answer.js';
import { Fixed, Prompt, type Read, Template } from './resource-items.js';

/** Can a client read it? Shows resources, templates with their fields, and prompts. */
export function ResourcesView() {
  useResource(resources);
  const reading = useSignal<Reading | undefined>(undefined);
  return (
    <Loaded resource={resources} title="Resources and prompts">
      {(view) => (
        <Page
          title="Resources and prompts"
          intro="Read through the MCP endpoint, with the headers of “Send as”."
        >
          <div class="two">
            <Lists view={view} reading={reading} />
            <Answer reading={reading.value} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function readerOf(endpoint: string, reading: Signal<Reading | undefined>): Read {
  return (title, method, params) => {
    const target = { endpoint, headers: sentHeaders.value };
    callMcp(target, method, params).then(
      (answer) => (reading.value = { title, answer }),
      (error: unknown) => (reading.value = { title, fault: reasonOf(error) }),
    );
  };
}

interface ListsProps {
  readonly view: Resources;
  readonly reading: Signal<Reading | undefined>;
}

function Lists({ view, reading }: ListsProps) {
  const { templates, resources: fixed, prompts } = view;
  const readerFor = ({ endpoint = '' }: { readonly endpoint?: string }) =>
    readerOf(endpoint, reading);
  return (
    <div class="stack">
      <Panel title="Templates" aside={<span class="dim">{templates.length}</span>}>
        {templates.map((template) => (
          <Template key={template.uriTemplate} template={template} read={readerFor(template)} />
        ))}
        {templates.length === 0 && (
          <Empty title="No templates">
            <p>Give a route a URI with placeholders to list it here.</p>
            <pre class="code">{"@McpResource({ uri: 'tasks://{id}' })"}</pre>
          </Empty>
        )}
      </Panel>
      <Panel title="Fixed resources" aside={<span class="dim">{fixed.length}</span>}>
        {fixed.map((resource) => (
          <Fixed key={resource.uri} resource={resource} read={readerFor(resource)} />
        ))}
        {fixed.length === 0 && (
          <Empty title="No fixed resources">
            <p>Give a route a URI without placeholders to list it here.</p>
            <pre class="code">{"@McpResource({ uri: 'company://rules' })"}</pre>
          </Empty>
        )}
      </Panel>
      <Panel title="Prompts" aside={<span class="dim">{prompts.length}</span>}>
        {prompts.map((prompt) => (
          <Prompt key={prompt.name} prompt={prompt} read={readerFor(prompt)} />
        ))}
        {prompts.length === 0 && (
          <Empty title="No prompts">
            <p>Put @McpPrompt on a route to offer it as a prompt.</p>
          </Empty>
        )}
      </Panel>
    </div>
  );
}

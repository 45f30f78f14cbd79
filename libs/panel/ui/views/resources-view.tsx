import { type Signal, useSignal } from '@preact/signals';
import type {
  PanelPrompt,
  PanelResource,
  PanelResourceTemplate,
  ResourcesView as Resources,
} from '../../src/panel.api.js';
import { callMcp, type McpAnswer } from '../api/mcp-call.js';
import { reasonOf } from '../api/panel-api.js';
import { bytesOf, msOf } from '../format/number.js';
import { isRecord, parsedJson } from '../format/json.js';
import { expanded, fieldNamesOf } from '../format/uri-template.js';
import { Empty, Note, Page, Panel, Prose } from '../parts/blocks.js';
import { Button } from '../parts/controls.js';
import { Copy } from '../parts/copy.js';
import { JsonTree } from '../parts/json-tree.js';
import { resources, useResource } from '../state/resource.js';
import { sentHeaders } from '../state/settings.js';
import { Loaded } from './loaded.js';

/** What the pane on the right shows. */
interface Reading {
  readonly title: string;
  readonly answer?: McpAnswer;
  readonly fault?: string;
}

type Read = (title: string, method: string, params: Readonly<Record<string, unknown>>) => void;

/** Can a client read it? Resources, templates with their fields, and prompts. */
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
            <Lists view={view} read={readerOf(view, reading)} />
            <Answer reading={reading.value} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function readerOf({ endpoint }: Resources, reading: Signal<Reading | undefined>): Read {
  return (title, method, params) => {
    const target = { endpoint: endpoint ?? '', headers: sentHeaders.value };
    callMcp(target, method, params).then(
      (answer) => (reading.value = { title, answer }),
      (error: unknown) => (reading.value = { title, fault: reasonOf(error) }),
    );
  };
}

function Lists({ view, read }: { readonly view: Resources; readonly read: Read }) {
  const { templates, resources: fixed, prompts } = view;
  return (
    <div class="stack">
      <Panel title="Templates" aside={<span class="dim">{templates.length}</span>}>
        {templates.map((template) => (
          <Template key={template.uriTemplate} template={template} read={read} />
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
          <Fixed key={resource.uri} resource={resource} read={read} />
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
          <Prompt key={prompt.name} prompt={prompt} read={read} />
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

function Head(props: PanelResource | PanelResourceTemplate) {
  return (
    <>
      <div class="row wrap">
        <code class="uri">{'uri' in props ? props.uri : props.uriTemplate}</code>
        {props.mimeType !== undefined && <span class="tag">{props.mimeType}</span>}
        <span class="verb">
          {props.verb} {props.path}
        </span>
      </div>
      <p class="sub">
        <Prose text={props.description} /> <span class="dim">{props.name}</span>
      </p>
    </>
  );
}

function Fixed({ resource, read }: { readonly resource: PanelResource; readonly read: Read }) {
  const { uri } = resource;
  return (
    <div class="body">
      <Head {...resource} />
      <Button onClick={() => read(uri, 'resources/read', { uri })}>Read</Button>
    </div>
  );
}

function Template(props: { readonly template: PanelResourceTemplate; readonly read: Read }) {
  const { template, read } = props;
  const values = useSignal<Readonly<Record<string, string>>>({});
  const uri = expanded(template.uriTemplate, values.value);
  return (
    <form
      class="body"
      onSubmit={(event) => {
        event.preventDefault();
        read(uri, 'resources/read', { uri });
      }}
    >
      <Head {...template} />
      <div class="row wrap">
        <Inputs
          names={fieldNamesOf(template.uriTemplate)}
          id={template.uriTemplate}
          {...{ values }}
        />
        <Button look="pri" type="submit">
          Read
        </Button>
        <span class="dim cut">{uri}</span>
      </div>
    </form>
  );
}

function Inputs(props: {
  readonly names: readonly string[];
  readonly id: string;
  readonly values: Signal<Readonly<Record<string, string>>>;
}) {
  const { names, id, values } = props;
  return (
    <>
      {names.map((name) => (
        <label key={name} class="row m">
          {name}
          <input
            class="in m short"
            id={`${id} ${name}`}
            required
            value={values.value[name] ?? ''}
            onInput={(event) => {
              values.value = { ...values.value, [name]: event.currentTarget.value };
            }}
          />
        </label>
      ))}
    </>
  );
}

function Prompt({ prompt, read }: { readonly prompt: PanelPrompt; readonly read: Read }) {
  const { name, description, arguments: parameters, verb, path } = prompt;
  const values = useSignal<Readonly<Record<string, string>>>({});
  const given = Object.entries(values.value).filter(([, value]) => value !== '');
  return (
    <form
      class="body"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        read(name, 'prompts/get', { name, arguments: Object.fromEntries(given) });
      }}
    >
      <div class="row wrap">
        <code class="uri">{name}</code>
        <span class="verb">
          {verb} {path}
        </span>
      </div>
      <p class="sub">
        <Prose text={description} /> {parameters.length === 0 && 'Takes no arguments.'}
      </p>
      <div class="row wrap">
        <Inputs names={parameters.map((one) => one.name)} id={name} values={values} />
        <Button type="submit">Get prompt</Button>
      </div>
    </form>
  );
}

function Answer({ reading }: { readonly reading: Reading | undefined }) {
  if (!reading) {
    return (
      <Panel title="Answer">
        <Empty title="Nothing read yet">
          <p>Read a resource or get a prompt to see what a client would get.</p>
        </Empty>
      </Panel>
    );
  }
  const { title, answer, fault } = reading;
  const aside = answer && (
    <>
      <span class="dim nowrap">
        {msOf(answer.ms)} ms, {bytesOf(answer.bytes)}
      </span>
      <Copy text={() => JSON.stringify(answer.result, null, 2)} />
    </>
  );
  return (
    <Panel title={title} aside={aside}>
      <div class="body" role="status">
        {fault !== undefined && (
          <Note look="err" title="Not read">
            {fault}
          </Note>
        )}
        {answer && <JsonTree value={readable(answer.result)} open={6} />}
      </div>
    </Panel>
  );
}

/** A result whose texts of JSON are read, so that they fold. */
function readable(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => readable(item));
  if (!isRecord(value)) {
    const inner = name === 'text' && typeof value === 'string' ? parsedJson(value) : undefined;
    return typeof inner === 'object' ? inner : value;
  }
  const members = Object.entries(value).filter(([key]) => key !== '_meta' && key !== 'resultType');
  return Object.fromEntries(members.map(([key, member]) => [key, readable(member, key)]));
}

import { type Signal, useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import type { PanelPrompt, PanelResource, PanelResourceTemplate } from '../../../src/panel.api.js';
import { expanded, fieldNamesOf } from '../../format/uri-template.js';
import { Prose } from '../../parts/blocks.js';

/** Sends a request to the MCP endpoint and shows the response below a title. */
export type Read = (
  title: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
) => void;

function Head(props: PanelResource | PanelResourceTemplate) {
  const uri = 'uri' in props ? props.uri : props.uriTemplate;
  return (
    <>
      <div class="row wrap">
        <code class="uri">{uri}</code>
        {props.mimeType !== undefined && <span class="tag">{props.mimeType}</span>}
        {props.path !== '' && (
          <span class="verb">
            {props.verb} {props.path}
          </span>
        )}
      </div>
      <p class="sub">
        <Prose text={props.description} />{' '}
        {props.name !== uri && <span class="dim">{props.name}</span>}
      </p>
    </>
  );
}

export function Fixed({
  resource,
  read,
}: {
  readonly resource: PanelResource;
  readonly read: Read;
}) {
  const { uri } = resource;
  return (
    <div class="body">
      <Head {...resource} />
      <Button onClick={() => read(uri, 'resources/read', { uri })}>Read</Button>
    </div>
  );
}

export function Template(props: { readonly template: PanelResourceTemplate; readonly read: Read }) {
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

export function Prompt({ prompt, read }: { readonly prompt: PanelPrompt; readonly read: Read }) {
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

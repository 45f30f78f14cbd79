import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isRecord } from '@fledge-internal/ui/json';
import { Button, Segments } from '@fledge-internal/ui/controls';
import type { MeasuredTool } from '../../../src/panel.api.js';
import { countOf } from '../../format/number.js';
import { inFieldOrder } from '../../form/field-values.js';
import { fieldsOf } from '../../form/field-model.js';
import { Fields } from '../../form/field-row.js';
import { JsonArea } from '../../form/controls.js';
import type { Arguments } from '../../format/tool-request.js';
import { Note, Prose } from '../../parts/blocks.js';
import { hrefOf } from '../../state/navigation.js';
import { queries } from '../../state/resource.js';
import { draft, drafts, runs, runTool } from '../../state/tool-runs.js';
import { SentAs } from '../shell/sent-as.js';
import { ToolResult } from './tool-result.js';

interface ToolProps {
  readonly tool: MeasuredTool;
}

/** Shows one tool: its description, its form, and its result. */
export function ToolDetail({ tool }: ToolProps) {
  return (
    <div class="detail">
      <ToolHead tool={tool} />
      <div class="run">
        <ToolForm tool={tool} />
        <ToolResult tool={tool} />
      </div>
    </div>
  );
}

function ToolHead({ tool }: ToolProps) {
  const { name, annotations, verb, path, tokens, undescribed, description } = tool;
  return (
    <header class="thead">
      <a class="btn quiet sm back" href={hrefOf('tools')}>
        All tools
      </a>
      <div class="row wrap">
        <h1>{name}</h1>
        <Hints annotations={annotations} />
        <span class="grow" />
        <span class="verb">
          {verb} {path}
        </span>
        <span class="dim small">{countOf(tokens)} tokens</span>
        {undescribed.length > 0 && (
          <a href={hrefOf('lint')} class="warn small">
            {undescribed.length} without description
          </a>
        )}
      </div>
      <p>
        <Prose text={description} />
      </p>
    </header>
  );
}

/** Shows what the tool's annotations tell clients about its effects. */
function Hints({ annotations }: Pick<MeasuredTool, 'annotations'>) {
  const reads = annotations['readOnlyHint'] === true;
  const destroys = !reads && annotations['destructiveHint'] === true;
  return (
    <>
      {reads && (
        <span class="tag" title="readOnlyHint: the tool changes nothing">
          read-only
        </span>
      )}
      {!reads && !destroys && (
        <span class="tag" title="readOnlyHint is not set: the tool may change data">
          writes
        </span>
      )}
      {destroys && (
        <span class="tag warn" title="destructiveHint: the tool may delete or overwrite data">
          destructive
        </span>
      )}
      {annotations['idempotentHint'] === true && (
        <span class="tag" title="idempotentHint: a second call changes nothing more">
          idempotent
        </span>
      )}
    </>
  );
}

function ToolForm({ tool }: ToolProps) {
  const { name, inputSchema, endpoint } = tool;
  const fields = fieldsOf(inputSchema);
  const asJson = useSignal(fields === undefined);
  const args = drafts.value[name] ?? {};
  const busy = runs.value[name]?.kind === 'busy';
  const example = exampleOf(inputSchema);
  return (
    <form
      class="form"
      data-run
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void runTool(name, args);
      }}
    >
      <div class="row">
        {fields && (
          <Segments
            label="Input"
            options={[
              { value: false, label: 'Form' },
              { value: true, label: 'JSON' },
            ]}
            value={asJson.value}
            onChange={(value) => (asJson.value = value)}
          />
        )}
        <span class="grow" />
        {example && (
          <Button look="quiet" small onClick={() => draft(name, example)}>
            Use example
          </Button>
        )}
        <Button look="quiet" small onClick={() => draft(name, {})}>
          Reset
        </Button>
      </div>
      {fields && !asJson.value ? (
        <Fields
          id="arg"
          fields={fields}
          args={args}
          onChange={(next) => draft(name, inFieldOrder(next, fields))}
        />
      ) : (
        <div class="fields">
          <JsonArea
            id="args"
            label="Arguments as JSON"
            rows={14}
            value={args}
            onChange={(value) => draft(name, isRecord(value) ? value : EMPTY)}
          />
        </div>
      )}
      <QueryLink tool={tool} />
      {fields?.length === 0 && <p class="sub">This tool takes no arguments.</p>}
      {endpoint === undefined && (
        <Note look="warn" title="This application serves MCP over stdio only">
          Serve it over HTTP to run tools here.
        </Note>
      )}
      <div class="go">
        <Button look="pri" type="submit" disabled={busy || endpoint === undefined}>
          Run <kbd>Ctrl ↵</kbd>
        </Button>
        <SentAs />
      </div>
    </form>
  );
}

/** A link to the query builder, if the tool's route is a list with `@Qs`. */
function QueryLink({ tool: { verb, path } }: ToolProps) {
  const view = queries.data.value;
  useEffect(() => void (queries.data.peek() ?? queries.load()), []);
  const routes = view?.installed ? view.routes : [];
  const route = routes.find((one) => one.verb === verb && one.path === path);
  if (!route) return null;
  return (
    <p class="sub">
      <a href={hrefOf('queries', route.key)}>Build filters and order in Queries</a>
    </p>
  );
}

const EMPTY: Arguments = {};

/** Returns the first example of a schema. */
function exampleOf({ examples }: MeasuredTool['inputSchema']): Arguments | undefined {
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return isRecord(first) ? first : undefined;
}

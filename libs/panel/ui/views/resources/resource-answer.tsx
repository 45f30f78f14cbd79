import { isRecord, parsedJson } from '@fledge-internal/ui/json';
import { Copy } from '@fledge-internal/ui/copy';
import type { McpAnswer } from '../../api/mcp-call.js';
import { bytesOf, msOf } from '../../format/number.js';
import { Empty, Note, Panel } from '../../parts/blocks.js';
import { JsonTree } from '../../parts/json-tree.js';

/** The content of the pane on the right. */
export interface Reading {
  readonly title: string;
  readonly answer?: McpAnswer;
  readonly fault?: string;
}

export function Answer({ reading }: { readonly reading: Reading | undefined }) {
  if (!reading) {
    return (
      <Panel title="Response">
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

/** Parses strings that contain JSON, so they can be folded in the tree. */
function readable(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => readable(item));
  if (!isRecord(value)) {
    const inner = name === 'text' && typeof value === 'string' ? parsedJson(value) : undefined;
    return typeof inner === 'object' ? inner : value;
  }
  const members = Object.entries(value).filter(([key]) => key !== '_meta' && key !== 'resultType');
  return Object.fromEntries(members.map(([key, member]) => [key, readable(member, key)]));
}

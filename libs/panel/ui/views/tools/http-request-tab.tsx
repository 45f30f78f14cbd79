import { useSignal } from '@preact/signals';
import { curlOf } from '@fledge-internal/ui/curl';
import { Segments, same } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import type { MeasuredTool } from '../../../src/panel.api.js';
import { messageOf } from '../../api/mcp-message.js';
import type { Arguments } from '../../format/tool-request.js';
import { toolRequest } from '../../format/tool-request.js';
import { sentHeaders } from '../../state/settings.js';
import { drafts } from '../../state/tool-runs.js';
import { absolute } from '../app-url.js';

interface TabProps {
  readonly tool: MeasuredTool;
}

const FORMS = ['curl', 'tools/call'];

/**
 * Shows two requests: one that calls the tool's route directly, and one that calls the tool through
 * MCP.
 */
export function HttpRequest({ tool }: TabProps) {
  const form = useSignal('curl');
  const args = drafts.value[tool.name] ?? {};
  const text = textOf(form.value, tool, args);
  const isMcp = form.value === 'tools/call';
  return (
    <>
      <div class="bar2">
        <Segments
          label="Written as"
          options={same(FORMS)}
          value={form.value}
          onChange={(value) => (form.value = value)}
        />
        <span class="grow" />
        <Copy text={() => text} />
      </div>
      <pre class="code">{text}</pre>
      <p class="hint">
        {isMcp
          ? 'What the panel sends to the MCP endpoint.'
          : 'The route this tool runs. Guards and pipes are the same.'}
      </p>
    </>
  );
}

function textOf(form: string, tool: MeasuredTool, args: Arguments): string {
  const headers = sentHeaders.value.map(({ name, value }) => [name, value] as const);
  if (form === 'tools/call') {
    const { headers: own, body } = messageOf('tools/call', { name: tool.name, arguments: args });
    const all = own.filter(({ name }) => name !== 'content-type');
    return curlOf({
      method: 'POST',
      url: absolute(tool.endpoint ?? ''),
      headers: [...headers, ...all.map(({ name, value }) => [name, value] as const)],
      body: JSON.stringify(body, null, 2),
    });
  }
  const { method, url, body } = toolRequest(tool, args);
  return curlOf({ method, url: absolute(url), headers, body });
}

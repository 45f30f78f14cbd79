import { useSignal } from '@preact/signals';
import { callMcp } from '../../api/mcp-call.js';
import { reasonOf } from '../../api/panel-api.js';
import { plural } from '../../format/number.js';
import { Button } from '../../parts/controls.js';
import { Dialog, DialogHead } from '../../parts/dialog.js';
import { HeaderRows } from '../../parts/header-rows.js';
import { headersOpen } from '../../state/dialogs.js';
import { tools } from '../../state/resource.js';
import { sendAs, sentHeaders } from '../../state/settings.js';

/** The headers of everything that the panel sends to the application. */
export function HeadersDialog() {
  return (
    <Dialog open={headersOpen} label="Send as" class="dlg">
      <DialogHead title="Send as" open={headersOpen} />
      <div class="c">
        <p class="sub">
          These headers go with every request this panel sends to your application. They stay in
          this tab.
        </p>
        <HeaderRows rows={sendAs.value} onChange={(rows) => (sendAs.value = rows)} />
        <Check />
      </div>
    </Dialog>
  );
}

function Check() {
  const said = useSignal<{ readonly text: string; readonly failed: boolean } | undefined>(
    undefined,
  );
  const check = async (): Promise<void> => {
    try {
      said.value = { text: await toolsSeen(), failed: false };
    } catch (error) {
      said.value = { text: reasonOf(error), failed: true };
    }
  };
  return (
    <div class="row after wrap">
      <span class={`grow small ${said.value?.failed ? 'err' : 'sub'}`} role="status">
        {said.value?.text}
      </span>
      <Button onClick={() => void check()}>Check</Button>
      <Button look="pri" onClick={() => (headersOpen.value = false)}>
        Done
      </Button>
    </div>
  );
}

/** Lists the tools with these headers. */
async function toolsSeen(): Promise<string> {
  await (tools.data.peek() ?? tools.load());
  const view = tools.data.peek();
  if (!view?.installed || view.endpoint === undefined) return 'There is no MCP endpoint to check.';
  const target = { endpoint: view.endpoint, headers: sentHeaders.value };
  const { result } = await callMcp(target, 'tools/list', {});
  const { tools: seen } = result;
  return `The MCP endpoint shows ${plural(Array.isArray(seen) ? seen.length : 0, 'tool')}.`;
}

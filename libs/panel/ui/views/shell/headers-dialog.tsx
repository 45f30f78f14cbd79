import { Segments } from '@fledge-internal/ui/controls';
import { Dialog, DialogHead } from '../../parts/dialog.js';
import { HeaderRows } from '../../parts/header-rows.js';
import { headersOpen } from '../../state/dialogs.js';
import { offered, sendAs, sender, setSendAs } from '../../state/settings.js';
import { CallerCheck } from './caller-check.js';

/** Edits the headers of all requests that the panel sends to the application. */
export function HeadersDialog() {
  return (
    <Dialog open={headersOpen} label="Send as" class="dlg">
      <DialogHead title="Send as" open={headersOpen} />
      <div class="c gaps">
        <p class="sub">
          These headers go with every request this panel sends to your application. They stay in
          this tab.
        </p>
        <Callers />
        <HeaderRows rows={sendAs.value} onChange={setSendAs} />
        <CallerCheck />
      </div>
    </Dialog>
  );
}

/** Lists the callers that the application offers. */
function Callers() {
  if (offered.value.length === 0) return null;
  return (
    <Segments
      label="Callers"
      options={offered.value.map(({ name }) => ({ value: name, label: name }))}
      value={sender.value}
      onChange={(chosen) =>
        setSendAs(offered.value.find(({ name }) => name === chosen)?.headers ?? [])
      }
    />
  );
}

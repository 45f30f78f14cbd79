import { signal } from '@preact/signals';
import { Button, Select, same } from '@fledge-internal/ui/controls';
import type { PanelTenantAnswer } from '../../../src/panel.api.js';
import type { Header } from '../../api/app-request.js';
import { post, reasonOf } from '../../api/panel-api.js';
import { Panel } from '../../parts/blocks.js';
import { HeaderRows } from '../../parts/header-rows.js';
import { tenants } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';

const method = signal('GET');
const path = signal('/');
const host = signal(location.host);
/**
 * The headers of the described request. Undefined until the user changes them: the headers of "Send
 * as" are then used.
 */
const ownHeaders = signal<readonly Header[] | undefined>(undefined);
/** The application's answer to the last question. */
export const answer = signal<PanelTenantAnswer | { readonly fault: string } | undefined>(undefined);

async function ask(): Promise<void> {
  const headers = (ownHeaders.value ?? sentHeaders.value).filter(({ name }) => name.trim() !== '');
  try {
    answer.value = await post('askTenant', {
      method: method.value,
      path: path.value,
      host: host.value,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    });
  } catch (error) {
    answer.value = { fault: reasonOf(error) };
  }
  await tenants.load();
}

const METHODS = same(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The form in which the user describes a request. */
export function Question() {
  return (
    <Panel title="Request">
      <form
        class="body gaps"
        data-run
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <div class="row">
          <Select
            label="Method"
            class="verbselect"
            options={METHODS}
            value={method.value}
            onChange={(value) => (method.value = value)}
          />
          <input
            class="in m"
            aria-label="Path"
            value={path.value}
            onInput={(event) => (path.value = event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <div class="lab">
            <label for="tenant-host">Host</label>
          </div>
          <input
            class="in m"
            id="tenant-host"
            value={host.value}
            onInput={(event) => (host.value = event.currentTarget.value)}
          />
        </div>
        <HeaderRows
          rows={ownHeaders.value ?? sentHeaders.value}
          onChange={(rows) => (ownHeaders.value = rows)}
        />
        <div class="row">
          <Button look="pri" type="submit">
            Resolve <kbd>Ctrl ↵</kbd>
          </Button>
        </div>
      </form>
    </Panel>
  );
}

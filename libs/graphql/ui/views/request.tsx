import { Button } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import { curlOf } from '@fledge-internal/ui/curl';
import { Tabs } from '@fledge-internal/ui/tabs';
import { signal } from '@preact/signals';
import { endpointUrl } from '../api/endpoint.js';
import { JsonEditor } from '../editor/json-editors.js';
import { format, OperationEditor } from '../editor/operation-editor.js';
import {
  currentOperation,
  headers,
  headersText,
  operation,
  operations,
  titleOf,
  variables,
} from '../state/request.js';
import { run, start, stop } from '../state/run.js';
import { changeTab, chosenId, closeTab, currentTab, openTab, tabs } from '../state/tabs.js';

/** The tabs with operations, and the variables and headers of the current one. */
export function Request() {
  const tab = currentTab.value;
  return (
    <section class="request" aria-label="Request">
      <Tabs
        id="operation"
        label="Operations"
        names={tabs.value.map(({ id }) => id)}
        titleOf={(id) => titleOf(tabs.value.find((one) => one.id === id)?.text ?? '')}
        chosen={chosenId}
        aside={
          <>
            <Button look="quiet" small aria-label="New tab" onClick={() => openTab()}>
              +
            </Button>
            <Button look="quiet" small aria-label="Close tab" onClick={closeTab}>
              ✕
            </Button>
          </>
        }
      >
        <Actions />
        <OperationEditor key={tab.id} tab={tab} />
      </Tabs>
      <Sent />
    </section>
  );
}

function Actions() {
  const running = run.value?.running ?? false;
  const named = currentOperation.value?.name?.value;
  return (
    <div class="bar">
      <Button look="pri" onClick={running ? stop : start}>
        {running ? 'Stop' : 'Run'} <kbd aria-hidden="true">Ctrl ↵</kbd>
      </Button>
      {operations.value.length > 1 && named !== undefined && (
        <span class="dim cut" title="The operation at the cursor">
          {named}
        </span>
      )}
      <span class="grow" />
      <Button look="quiet" small title="Shift Ctrl F" onClick={format}>
        Prettify
      </Button>
      <Copy label="Copy curl" text={curl} />
    </div>
  );
}

function curl(): string {
  return curlOf({
    method: 'POST',
    url: endpointUrl,
    headers: Object.entries(headers.value ?? {}),
    body: JSON.stringify(operation.value ?? { query: currentTab.value.text }, null, 2),
  });
}

const chosen = signal('Variables');

/** The editors for variables and headers. */
function Sent() {
  const { id, variables: text } = currentTab.value;
  const invalid: Readonly<Record<string, boolean>> = {
    Variables: variables.value === undefined,
    Headers: headers.value === undefined,
  };
  return (
    <div class="sent">
      <Tabs
        id="sent"
        label="Sent with the operation"
        names={['Variables', 'Headers']}
        titleOf={(name) => (
          <>
            {name}
            {invalid[name] && <span class="err"> (invalid)</span>}
          </>
        )}
        chosen={chosen}
      >
        {chosen.value === 'Variables' ? (
          <JsonEditor
            key={`variables ${id}`}
            label="Variables"
            text={text}
            hint="Variables as a JSON object"
            onChange={(changed) => changeTab(id, { variables: changed })}
          />
        ) : (
          <JsonEditor
            key="headers"
            label="Headers"
            text={headersText.value}
            hint="Headers as a JSON object, for example authorization"
            onChange={(changed) => (headersText.value = changed)}
          />
        )}
      </Tabs>
    </div>
  );
}

import { signal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { JsonEditor } from '../editor/json-editors.js';
import { OperationEditor } from '../editor/operation-editor.js';
import { docsOpen } from '../state/docs.js';
import { headers, headersText, variables, variablesText } from '../state/request.js';
import { Docs } from './docs.js';
import { Result } from './result.js';
import { TopBar } from './top-bar.js';

const tab = signal<'Variables' | 'Headers'>('Variables');

/** The operation on the left, its result beside it, the documentation on the right. */
export function App() {
  return (
    <>
      <TopBar />
      <main class={docsOpen.value ? 'with-docs' : ''}>
        <section class="request" aria-label="Request">
          <OperationEditor />
          <div class="bar tabs" role="tablist" aria-label="Sent with the operation">
            <Tab name="Variables" faulty={variables.value === undefined} />
            <Tab name="Headers" faulty={headers.value === undefined} />
          </div>
          <div id="sent" class="sent" role="tabpanel" aria-label={tab.value}>
            {tab.value === 'Variables' ? (
              <JsonEditor
                key="variables"
                label="Variables"
                text={variablesText}
                example={'{ "id": 1 }'}
              />
            ) : (
              <JsonEditor
                key="headers"
                label="Headers"
                text={headersText}
                example={'{ "authorization": "Bearer ..." }'}
              />
            )}
          </div>
        </section>
        <Result />
        {docsOpen.value && <Docs />}
      </main>
    </>
  );
}

function Tab({ name, faulty }: { readonly name: typeof tab.value; readonly faulty: boolean }) {
  const chosen = tab.value === name;
  return (
    <button
      type="button"
      role="tab"
      aria-selected={chosen}
      aria-controls="sent"
      tabIndex={chosen ? 0 : -1}
      onClick={() => (tab.value = name)}
      onKeyDown={goToOther}
    >
      {name}
      {faulty && <span class="err"> (invalid)</span>}
    </button>
  );
}

/** Arrow keys move between the two tabs. */
function goToOther({ key, currentTarget }: TargetedKeyboardEvent<HTMLButtonElement>): void {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
  const other = currentTarget.nextElementSibling ?? currentTarget.previousElementSibling;
  if (!(other instanceof HTMLElement)) return;
  other.click();
  other.focus();
}

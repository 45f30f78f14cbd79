import { endpointPath } from '../api/endpoint.js';
import { docsOpen } from '../state/docs.js';
import { currentOperation, operations } from '../state/request.js';
import { run, start, stop } from '../state/run.js';
import { nextTheme, theme } from '../state/theme.js';

/** What runs, and how the page looks. */
export function TopBar() {
  const running = run.value?.running ?? false;
  const named = currentOperation.value?.name?.value;
  return (
    <header class="top">
      <h1>
        GraphQL <code>{endpointPath}</code>
      </h1>
      <button type="button" class="primary" onClick={running ? stop : start}>
        {running ? 'Stop' : 'Run'}
      </button>
      {operations.value.length > 1 && named !== undefined && (
        <span class="dim" title="The operation at the cursor">
          {named}
        </span>
      )}
      <span class="grow" />
      <button type="button" onClick={nextTheme}>
        Theme: {theme.value}
      </button>
      <button
        type="button"
        aria-pressed={docsOpen.value}
        onClick={() => (docsOpen.value = !docsOpen.value)}
      >
        Documentation
      </button>
    </header>
  );
}

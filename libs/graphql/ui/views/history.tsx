import { Button } from '@fledge-internal/ui/controls';
import { pastRuns } from '../state/history.js';
import { titleOf } from '../state/request.js';
import { openTab } from '../state/tabs.js';

/** Lists the operations that were run. The user can open them again. */
export function History() {
  const runs = pastRuns.value;
  return (
    <aside class="side" aria-label="History">
      <div class="bar">
        <h2 class="grow">History</h2>
        <Button look="quiet" small onClick={() => (pastRuns.value = [])}>
          Clear
        </Button>
      </div>
      {runs.length === 0 && <p class="dim wait">Operations that you run appear here.</p>}
      <ul class="scroll past">
        {runs.map(({ at, text, variables }) => (
          <li key={at}>
            <button type="button" onClick={() => openTab(text, variables)}>
              <span class="m cut">{titleOf(text)}</span>
              <span class="dim">{new Date(at).toLocaleString()}</span>
              <span class="m dim cut">{text.replaceAll(/#.*|\s+/g, ' ').trim()}</span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}

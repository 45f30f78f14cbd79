import { Copy } from '@fledge-internal/ui/copy';
import { JsonView } from '../editor/json-editors.js';
import { type Event, run } from '../state/run.js';

/** The response to an operation, or the events of a subscription. */
export function Result() {
  const current = run.value;
  return (
    <section class="result" aria-label="Result">
      <div class="bar">
        <h2>Result</h2>
        <span role="status" class="sub">
          {current?.status ?? 'Run an operation to see its result'}
        </span>
        <span class="grow" />
        {current?.events[0] && <Copy text={() => current.events[0]?.text ?? ''} />}
      </div>
      {current?.fault !== undefined && (
        <p class="fault" role="alert">
          {current.fault}
        </p>
      )}
      {current?.kind === 'answer' && current.events[0] && (
        <JsonView label="Response" text={current.events[0].text} />
      )}
      {current?.kind === 'stream' && <Events events={current.events} running={current.running} />}
    </section>
  );
}

function Events(props: { readonly events: readonly Event[]; readonly running: boolean }) {
  const { events, running } = props;
  if (events.length === 0) return running ? <p class="dim wait">Waiting for events</p> : null;
  return (
    <ol class="events scroll" aria-label="Events, the latest first" tabIndex={0}>
      {events.map(({ number, at, text }) => (
        <li key={number}>
          <p class="dim">
            {number} at {at}
          </p>
          <pre>{text}</pre>
        </li>
      ))}
    </ol>
  );
}

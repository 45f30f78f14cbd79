import { sender } from '../../state/settings.js';

/** One line that says whose headers are sent with a request. */
export function SentAs() {
  return (
    <span class="dim cut">
      {sender.value === undefined ? 'without headers' : `with ${sender.value}`}
    </span>
  );
}

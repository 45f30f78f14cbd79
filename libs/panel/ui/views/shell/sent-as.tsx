import { sender } from '../../state/settings.js';

/** Whose headers a request goes with, in one line. */
export function SentAs() {
  return (
    <span class="dim cut">
      {sender.value === undefined ? 'without headers' : `with ${sender.value}`}
    </span>
  );
}

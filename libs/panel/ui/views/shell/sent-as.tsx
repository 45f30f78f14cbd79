import { masked } from '../../format/mask.js';
import { sentHeaders } from '../../state/settings.js';

/** Which headers a request goes with, in one line. */
export function SentAs() {
  const [first, ...more] = sentHeaders.value;
  return (
    <span class="dim cut">
      {first ? `with ${masked(first.value) || first.name}` : 'without headers'}
      {more.length > 0 && ` and ${more.length} more`}
    </span>
  );
}

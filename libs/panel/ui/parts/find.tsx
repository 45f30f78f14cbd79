import type { Signal } from '@preact/signals';
import { SearchIcon } from '@fledge-internal/ui/icons';

/** A filter field. The key `/` focuses the filter field of the current view. */
export function Find(props: {
  readonly label: string;
  readonly hint: string;
  readonly text: Signal<string>;
}) {
  return (
    <div class="find">
      <SearchIcon />
      <input
        class="in"
        type="text"
        data-find
        spellcheck={false}
        aria-label={props.label}
        placeholder={props.hint}
        value={props.text}
        onInput={(event) => (props.text.value = event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </div>
  );
}

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/**
 * Tabs and the panel of the selected tab. Arrow keys move between tabs. Tab names must be unique.
 */
export function Tabs(props: {
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: Signal<string>;
  /**
   * Returns the content of a tab.
   * @default its name
   */
  readonly titleOf?: (name: string) => ComponentChildren;
  /** Buttons shown after the tabs. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { id, names, chosen, titleOf = (name) => name } = props;
  const current = names.includes(chosen.value) ? chosen.value : names[0];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || current === undefined) return;
    event.preventDefault();
    const next = (names.indexOf(current) + step + names.length) % names.length;
    chosen.value = names[next] ?? current;
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabbar">
        <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={move}>
          {names.map((name, at) => (
            <button
              key={name}
              id={`${id}-tab-${at}`}
              type="button"
              role="tab"
              aria-selected={name === current}
              aria-controls={`${id}-panel`}
              tabIndex={name === current ? 0 : -1}
              onClick={() => (chosen.value = name)}
            >
              {titleOf(name)}
            </button>
          ))}
        </div>
        {props.aside}
      </div>
      <div
        class="tp"
        id={`${id}-panel`}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`${id}-tab-${names.indexOf(current ?? '')}`}
      >
        {props.children}
      </div>
    </>
  );
}

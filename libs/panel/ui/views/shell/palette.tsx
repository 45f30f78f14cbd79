import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { paletteOpen } from '../../state/dialogs.js';
import { tools } from '../../state/resource.js';
import { type Command, commandsFor } from './commands.js';

/** Finds views, tools and commands by name. */
export function Palette() {
  return (
    <Dialog open={paletteOpen} label="Search and commands" class="pal">
      <Search />
    </Dialog>
  );
}

function Search() {
  const text = useSignal('');
  const at = useSignal(0);
  useEffect(() => void (tools.data.peek() ?? tools.load()), []);
  const found = commandsFor(text.value);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    paletteOpen.value = false;
    // Runs after the dialog has restored the focus.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) at.value = Math.max(0, Math.min(found.length - 1, at.value + step));
    // Does not use `found`: the user may type faster than the list renders.
    else if (event.key === 'Enter') run(commandsFor(text.value)[at.value]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        class="in"
        role="combobox"
        aria-label="Go to a view, a tool, or run a command"
        placeholder="Go to a view, a tool, or run a command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at.value}`}
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Results">
        {found.map((command, index) => (
          <Option
            key={`${command.group} ${command.label}`}
            command={command}
            id={`palette-${index}`}
            heads={command.group !== found[index - 1]?.group}
            chosen={index === at.value}
            run={() => run(command)}
          />
        ))}
      </ul>
      {found.length === 0 && <p class="empty">Nothing found. Try the name of a tool.</p>}
    </>
  );
}

function Option(props: {
  readonly command: Command;
  readonly id: string;
  readonly heads: boolean;
  readonly chosen: boolean;
  readonly run: () => void;
}) {
  const { command, id, heads, chosen, run } = props;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <>
      {heads && (
        <li class="g" role="presentation">
          {command.group}
        </li>
      )}
      <li ref={item} id={id} role="option" aria-selected={chosen} onClick={run}>
        <span class="cut">{command.label}</span>
        <span class="s">{command.key === 'run' ? 'run' : <kbd>{command.key}</kbd>}</span>
      </li>
    </>
  );
}

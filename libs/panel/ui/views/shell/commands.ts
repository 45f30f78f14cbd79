import { toggleTheme } from '@fledge-internal/ui/theme';
import { VIEWS, goTo } from '../../state/navigation.js';
import { togglePause } from '../../state/calls.js';
import { headersOpen, keysOpen } from '../../state/dialogs.js';
import { tools } from '../../state/resource.js';

/** An entry of the command palette. */
export interface Command {
  readonly group: 'Views' | 'Tools' | 'Commands';
  readonly label: string;
  /** Its keyboard shortcut, or what it does. */
  readonly key: string;
  readonly run: () => void;
}

/** Commands with a keyboard shortcut. */
export const COMMANDS: readonly Command[] = [
  { group: 'Commands', label: 'Headers to send', key: 'h', run: () => (headersOpen.value = true) },
  { group: 'Commands', label: 'Pause or resume calls', key: 'p', run: togglePause },
  { group: 'Commands', label: 'Light or dark theme', key: 't', run: toggleTheme },
  { group: 'Commands', label: 'Keyboard shortcuts', key: '?', run: () => (keysOpen.value = true) },
];

/** Returns all commands of the palette that match a text. */
export function commandsFor(text: string): readonly Command[] {
  const view = tools.data.value;
  const names = view?.installed ? view.tools.map(({ name }) => name) : [];
  const all: Command[] = [
    ...VIEWS.map(({ id, label }, at) => ({
      group: 'Views' as const,
      label,
      key: String(at + 1),
      run: () => goTo(id),
    })),
    ...names.map((name) => ({
      group: 'Tools' as const,
      label: name,
      key: 'run',
      run: () => goTo('tools', name),
    })),
    ...COMMANDS,
  ];
  const wanted = text.trim().toLowerCase();
  return all.filter(({ label }) => label.toLowerCase().includes(wanted));
}

import { goTo, selected, VIEWS, view } from '../../state/navigation.js';
import { paletteOpen } from '../../state/dialogs.js';
import { singleKeys } from '../../state/settings.js';
import { COMMANDS } from './commands.js';

/**
 * Handles the keyboard shortcuts of the page. In fields and dialogs, only shortcuts with a modifier
 * key work.
 */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const handled =
      event.ctrlKey || event.metaKey ? withModifier(event) : !event.altKey && plain(event);
    if (handled) event.preventDefault();
  });
}

function withModifier({ key }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') {
    paletteOpen.value = true;
    return true;
  }
  if (key !== 'Enter' || document.querySelector('dialog[open]')) return false;
  const form = document.querySelector<HTMLFormElement>('form[data-run]');
  form?.requestSubmit();
  return form !== null;
}

function plain({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return false;
  if (key === 'Escape') return escape(target);
  if (!singleKeys.value || (target instanceof HTMLElement && isTyping(target))) return false;
  const at = VIEWS[Number(key) - 1];
  if (/^[1-9]$/.test(key) && at) {
    goTo(at.id);
    return true;
  }
  const command = COMMANDS.find((candidate) => candidate.key === key);
  if (command) {
    command.run();
    return true;
  }
  if (key === '/') return focus('[data-find]');
  if (key === 'j' || key === 'k') return moveRow(key === 'j' ? 1 : -1);
  return false;
}

function isTyping(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement)
    return target.type !== 'checkbox' && target.type !== 'radio';
  return target.matches('textarea, select, [contenteditable]');
}

/** Closes the drawer. In a filter field with text, clears the field first. */
function escape(target: EventTarget | null): boolean {
  if (view.value !== 'calls' || selected.value === undefined) return false;
  const row = selected.value;
  if (target instanceof HTMLElement && isTyping(target)) target.blur();
  goTo('calls');
  return focus(`[data-call="${CSS.escape(row)}"]`);
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

function moveRow(step: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const current = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = focused >= 0 ? focused : current;
  rows[Math.max(0, Math.min(rows.length - 1, from + step))]?.focus();
  return rows.length > 0;
}

import { useSignal } from '@preact/signals';
import { Button } from './controls.js';

/** A button that copies a text and briefly confirms it. */
export function Copy(props: {
  readonly text: () => string;
  readonly label?: string;
  readonly plain?: boolean;
}) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    said.value = (await copied(props.text())) ? 'Copied' : 'Not allowed';
    setTimeout(() => (said.value = ''), 1500);
  };
  const look = props.plain ? {} : ({ look: 'quiet', small: true } as const);
  return (
    <Button {...look} onClick={() => void copy()}>
      <span aria-live="polite">{said.value || (props.label ?? 'Copy')}</span>
    </Button>
  );
}

/**
 * Browsers offer the clipboard only to secure pages (TLS or localhost). On other pages, this copies
 * a selection.
 */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const { activeElement: before } = document;
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

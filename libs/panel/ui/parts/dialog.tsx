import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '@fledge-internal/ui/controls';

interface DialogProps {
  readonly open: Signal<boolean>;
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside, and restores it when the dialog closes. */
export function Dialog({ open, label, class: name, children }: DialogProps) {
  return open.value ? (
    <OpenDialog open={open} label={label} class={name ?? ''}>
      {children}
    </OpenDialog>
  ) : null;
}

function OpenDialog({ open, label, class: name, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name ?? ''}
      aria-label={label}
      onClose={() => (open.value = false)}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      {children}
    </dialog>
  );
}

/** The header of a dialog, with a title and a close button. */
export function DialogHead(props: { readonly title: string; readonly open: Signal<boolean> }) {
  return (
    <header>
      <h2 class="grow">{props.title}</h2>
      <IconButton label="Close" onClick={() => (props.open.value = false)} />
    </header>
  );
}

import { useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import type { PanelSession } from '../../../src/panel.api.js';
import { post, reasonOf } from '../../api/panel-api.js';
import { sessions } from '../../state/resource.js';

/** Ends a session after the user confirms in the same place. */
export function EndButton({ session: { key, client } }: { readonly session: PanelSession }) {
  const asking = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const end = async (): Promise<void> => {
    try {
      await post('endSession', { key });
    } catch (error) {
      fault.value = reasonOf(error);
    }
    asking.value = false;
    await sessions.load();
  };
  if (!asking.value) {
    return (
      <>
        {fault.value !== undefined && <span class="err small">{fault.value} </span>}
        <Button
          small
          aria-label={`End the session of ${client ?? 'an unnamed client'}`}
          onClick={() => (asking.value = true)}
        >
          End
        </Button>
      </>
    );
  }
  return (
    <span class="row endrow">
      <span class="sub">Its client must reconnect.</span>
      <Button small look="danger" ref={focusNow} onClick={() => void end()}>
        End session
      </Button>
      <Button small look="quiet" onClick={() => (asking.value = false)}>
        Keep
      </Button>
    </span>
  );
}

function focusNow(button: HTMLButtonElement | null): void {
  button?.focus();
}

import { Dialog, DialogHead } from '../../parts/dialog.js';
import { keysOpen } from '../../state/dialogs.js';
import { singleKeys } from '../../state/settings.js';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['Ctrl K'], 'Search and commands'],
  [['1', '9'], 'Go to a view'],
  [['/'], 'Filter this view'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close'],
  [['Ctrl ↵'], 'Run or send'],
  [['p'], 'Pause calls'],
  [['h'], 'Headers to send'],
  [['t'], 'Light or dark'],
  [['?'], 'This list'],
];

/** Lists the keyboard shortcuts, with a switch that disables shortcuts without a modifier key. */
export function KeysDialog() {
  return (
    <Dialog open={keysOpen} label="Keyboard" class="dlg">
      <DialogHead title="Keyboard" open={keysOpen} />
      <div class="c">
        <dl class="keys">
          {KEYS.map(([keys, meaning]) => (
            <>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => (singleKeys.value = event.currentTarget.checked)}
          />{' '}
          Single-key shortcuts. Turn them off if software types letters for you, such as speech
          input.
        </label>
      </div>
    </Dialog>
  );
}

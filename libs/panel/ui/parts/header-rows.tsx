import type { Header } from '../api/app-request.js';
import { Button, IconButton } from './controls.js';

/** Headers as rows of a name and a value. */
export function HeaderRows(props: {
  readonly rows: readonly Header[];
  readonly onChange: (rows: readonly Header[]) => void;
}) {
  const { rows, onChange } = props;
  const change = (at: number, part: Partial<Header>): void =>
    onChange(rows.map((row, other) => (other === at ? { ...row, ...part } : row)));
  return (
    <div class="headers" role="group" aria-label="Headers">
      {rows.map(({ name, value }, at) => (
        <div class="hr3" key={at}>
          <input
            class="in m"
            aria-label={`Name of header ${at + 1}`}
            placeholder="Name"
            spellcheck={false}
            autocomplete="off"
            value={name}
            onInput={(event) => change(at, { name: event.currentTarget.value })}
          />
          <input
            class="in m"
            aria-label={`Value of header ${at + 1}`}
            placeholder="Value"
            spellcheck={false}
            autocomplete="off"
            value={value}
            onInput={(event) => change(at, { value: event.currentTarget.value })}
          />
          <IconButton
            label={`Remove header ${name || at + 1}`}
            onClick={() => onChange(rows.filter((_row, other) => other !== at))}
          />
        </div>
      ))}
      <Button
        look="quiet"
        small
        onClick={() =>
          onChange([...rows, { name: rows.length === 0 ? 'Authorization' : '', value: '' }])
        }
      >
        Add header
      </Button>
    </div>
  );
}

import { Button, IconButton } from '@fledge-internal/ui/controls';
import type { Header } from '../api/app-request.js';

const LABELS = { name: 'Name', value: 'Value' } as const;

/** An editor for headers. Each row has a name and a value. */
export function HeaderRows(props: {
  readonly rows: readonly Header[];
  readonly onChange: (rows: readonly Header[]) => void;
}) {
  const { rows, onChange } = props;
  const change = (at: number, part: Partial<Header>): void =>
    onChange(rows.map((row, other) => (other === at ? { ...row, ...part } : row)));
  return (
    <div class="headers" role="group" aria-label="Headers">
      {rows.map((row, at) => (
        <div class="hr3" key={at}>
          {(['name', 'value'] as const).map((part) => (
            <input
              class="in m"
              key={part}
              aria-label={`${LABELS[part]} of header ${at + 1}`}
              placeholder={LABELS[part]}
              spellcheck={false}
              autocomplete="off"
              value={row[part]}
              onInput={(event) => change(at, { [part]: event.currentTarget.value })}
            />
          ))}
          <IconButton
            label={`Remove header ${row.name || at + 1}`}
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

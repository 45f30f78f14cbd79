import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> & {
  readonly class?: string;
  readonly look?: 'plain' | 'pri' | 'quiet' | 'danger' | 'danger solid';
  readonly small?: boolean;
  readonly children: ComponentChildren;
};

export function Button({ look = 'plain', small, class: extra, ...rest }: ButtonProps) {
  const names = ['btn', look === 'plain' ? '' : look, small ? 'sm' : '', extra].filter(Boolean);
  return <button type="button" {...rest} class={names.join(' ')} />;
}

/** A button that shows only an icon. */
export function IconButton(props: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children?: ComponentChildren;
}) {
  return (
    <button type="button" class="x" aria-label={props.label} onClick={props.onClick}>
      {props.children ?? '✕'}
    </button>
  );
}

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A row of buttons that switches between views of the same thing. One button is pressed. */
export function Segments<Value>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <div class="seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.label}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** Radio buttons in one frame, for a value of a form. */
export function Radios<Value>(props: ChoiceProps<Value> & { readonly name: string }) {
  return (
    <div class="seg" role="radiogroup" aria-label={props.label}>
      {props.options.map(({ value, label }) => (
        <label key={label}>
          <input
            type="radio"
            name={props.name}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}

/** A select. Options are identified by their position, so their values may have any type. */
export function Select<Value>(
  props: ChoiceProps<Value> & { readonly class?: string; readonly required?: boolean },
) {
  const { options, value, onChange } = props;
  return (
    <select
      class={`in m ${props.class ?? ''}`}
      aria-label={props.label}
      required={props.required}
      value={String(options.findIndex((option) => option.value === value))}
      onChange={(event) => {
        const option = options[Number(event.currentTarget.value)];
        if (option) onChange(option.value);
      }}
    >
      {options.map((option, at) => (
        <option key={option.label} value={String(at)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Returns options whose labels are their values. */
export function same(texts: readonly string[]): Option<string>[] {
  return texts.map((text) => ({ value: text, label: text }));
}

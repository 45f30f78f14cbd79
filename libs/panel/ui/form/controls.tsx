import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { jsonFault, parsedJson } from '@fledge-internal/ui/json';
import { Button, Radios, Select } from '@fledge-internal/ui/controls';
import type { Field } from './field-model.js';
import type { ControlProps } from './control-props.js';
import { numberFrom, shownValue } from './field-values.js';

/** Maximum number of choices shown as radio buttons. More choices become a select. */
const MOST_SEGMENTS = 6;

function placeholderOf({ required, fallback }: Field, value: unknown): string {
  if (value === null) return 'null';
  if (fallback !== undefined) return `optional, default ${fallback}`;
  return required ? '' : 'optional';
}

export function TextControl({ field, value, onChange, id, label, inList }: ControlProps<'text'>) {
  const input = (
    <input
      class="in"
      type="text"
      id={id}
      spellcheck={false}
      autocomplete="off"
      {...(inList && { 'aria-label': label })}
      aria-required={field.required}
      value={value === null ? '' : shownValue(value)}
      placeholder={inList ? '' : placeholderOf(field, value)}
      onInput={({ currentTarget: { value: text } }) =>
        onChange(text === '' && !inList ? undefined : text)
      }
    />
  );
  return <Nullable field={field} value={value} onChange={onChange} label={label} input={input} />;
}

export function NumberControl({
  field,
  value,
  onChange,
  id,
  label,
  inList,
}: ControlProps<'number'>) {
  const text = useSignal(value === null ? '' : shownValue(value));
  // A value from outside replaces the text, but the value of the text itself does not. Otherwise
  // typing "1." would become "1".
  if (numberFrom(text.peek()) !== (value ?? undefined)) {
    text.value = value === null ? '' : shownValue(value);
  }
  const input = (
    <input
      class="in number"
      type="text"
      inputmode="decimal"
      id={id}
      autocomplete="off"
      {...(inList && { 'aria-label': label })}
      aria-required={field.required}
      value={text.value}
      placeholder={placeholderOf(field, value)}
      onInput={(event) => {
        text.value = event.currentTarget.value;
        onChange(numberFrom(text.value));
      }}
    />
  );
  return <Nullable field={field} value={value} onChange={onChange} label={label} input={input} />;
}

function Nullable(props: NullProps & { readonly input: preact.JSX.Element }) {
  if (!props.field.nullable) return props.input;
  return (
    <div class="nul">
      {props.input}
      <NullButton {...props} />
    </div>
  );
}

type NullProps = Pick<ControlProps, 'field' | 'value' | 'onChange' | 'label'>;

/** Sends null instead of a value. Renders nothing if the schema does not allow null. */
export function NullButton({ field, value, onChange, label }: NullProps) {
  if (!field.nullable) return null;
  return (
    <Button
      aria-pressed={value === null}
      aria-label={`Send null as ${label}`}
      onClick={() => onChange(value === null ? undefined : null)}
    >
      null
    </Button>
  );
}

export function ChoiceControl({
  field,
  value,
  onChange,
  id,
  label,
  inList,
}: ControlProps<'choice'>) {
  const known = field.choices.some((choice) => choice === value);
  const options = [
    ...(field.required || inList ? [] : [{ value: undefined as unknown, label: 'unset' }]),
    ...field.choices.map((choice) => ({ value: choice, label: shownValue(choice) })),
    ...(field.nullable ? [{ value: null as unknown, label: 'null' }] : []),
    // The JSON tab can set a value that the schema does not allow. It is shown, so the user sees
    // what is sent.
    ...(known || value === undefined || value === null
      ? []
      : [{ value, label: `${shownValue(value)} (not allowed)` }]),
  ];
  const common = { label, options, value, onChange };
  return field.choices.length > MOST_SEGMENTS || inList ? (
    <Select {...common} />
  ) : (
    <Radios {...common} name={id} />
  );
}

export function JsonControl({ field, value, onChange, id, label, inList }: ControlProps<'json'>) {
  return (
    <JsonArea
      id={id}
      label={label}
      rows={3}
      value={value}
      placeholder={placeholderOf(field, undefined)}
      onChange={(next) => onChange(next === undefined && inList ? null : next)}
    />
  );
}

/**
 * A text area for JSON. While its text is not valid JSON, the value stays unchanged and the form
 * cannot be submitted.
 */
export function JsonArea(props: {
  readonly id: string;
  readonly label: string;
  readonly rows: number;
  readonly value: unknown;
  readonly placeholder?: string;
  readonly onChange: (value: unknown) => void;
}) {
  const { id, value, onChange } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const written = value === undefined ? '' : JSON.stringify(value, null, 2);
  const text = useSignal(written);
  const fault = text.value.trim() === '' ? undefined : jsonFault(text.value);
  if (fault === undefined && JSON.stringify(parsedJson(text.peek())) !== JSON.stringify(value)) {
    text.value = written;
  }
  useEffect(() => area.current?.setCustomValidity(fault ?? ''), [fault]);
  return (
    <>
      <textarea
        class="in"
        ref={area}
        id={id}
        rows={props.rows}
        spellcheck={false}
        aria-label={props.label}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        placeholder={props.placeholder ?? ''}
        value={text.value}
        onInput={(event) => {
          const next = (text.value = event.currentTarget.value);
          const wrong = next.trim() === '' ? undefined : jsonFault(next);
          // Set here too, because the form may be submitted before the next render.
          event.currentTarget.setCustomValidity(wrong ?? '');
          if (wrong === undefined) onChange(parsedJson(next));
        }}
      />
      <p class="bad" id={`${id}-fault`} aria-live="polite">
        {fault && `Not JSON: ${fault}`}
      </p>
    </>
  );
}

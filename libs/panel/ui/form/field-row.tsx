import { Button, IconButton } from '@fledge-internal/ui/controls';
import { isRecord } from '@fledge-internal/ui/json';
import { Prose } from '../parts/blocks.js';
import { ChoiceControl, JsonControl, NullButton, NumberControl, TextControl } from './controls.js';
import type { ControlProps } from './control-props.js';
import type { Field } from './field-model.js';
import { emptyItem, withArgument } from './field-values.js';
import type { Arguments } from '../format/tool-request.js';

/** The fields of one object, one below the other. */
export function Fields(props: {
  readonly id: string;
  readonly fields: readonly Field[];
  readonly args: Arguments;
  readonly onChange: (args: Arguments) => void;
}) {
  const { id, fields, args, onChange } = props;
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={args[field.name]}
          onChange={(value) => onChange(withArgument(args, field.name, value))}
        />
      ))}
    </div>
  );
}

/**
 * Kinds of fields with a single control, which the label belongs to. Other kinds are groups of
 * controls.
 */
const LABELLED = new Set<Field['kind']>(['text', 'number', 'json']);

function FieldRow(props: Omit<ControlProps, 'label'>) {
  const { field, id } = props;
  const { name, required, typeText, description } = field;
  const pattern = field.kind === 'text' && !description ? field.pattern : undefined;
  const hint = description ?? (pattern === undefined ? undefined : `Matches \`${pattern}\``);
  return (
    <div class="field">
      <div class="lab">
        {LABELLED.has(field.kind) ? <label for={id}>{name}</label> : <span class="l">{name}</span>}
        {required && <span class="req">required</span>}
        <span class="ty">{typeText}</span>
      </div>
      <Control {...props} label={name} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          <Prose text={hint} />
        </p>
      )}
    </div>
  );
}

/** The control of a field's kind. */
function Control(props: ControlProps) {
  const { field } = props;
  switch (field.kind) {
    case 'text':
      return <TextControl {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'list':
      return <ListControl {...props} field={field} />;
    case 'object':
      return <ObjectControl {...props} field={field} />;
    case 'json':
      return <JsonControl {...props} field={field} />;
  }
}

function ListControl({ field, value, onChange, id, label, inList }: ControlProps<'list'>) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  // An empty list is not sent, except inside another list, where it is an item.
  const change = (next: readonly unknown[]): void =>
    onChange(next.length === 0 && !inList ? undefined : next);
  return (
    <div class="rep" role="group" aria-label={label}>
      {rows.map((item, at) => (
        <div class="row" key={at}>
          <div class="grow">
            <Control
              id={`${id}-${at}`}
              label={`${label} ${at + 1}`}
              field={field.item}
              value={item}
              onChange={(changed) => change(rows.with(at, changed ?? emptyItem(field.item)))}
              inList
            />
          </div>
          <IconButton
            label={`Remove ${label} ${at + 1}`}
            onClick={() => change(rows.filter((_row, other) => other !== at))}
          />
        </div>
      ))}
      <div class="row">
        <Button look="quiet" small onClick={() => change([...rows, emptyItem(field.item)])}>
          Add {field.name}
        </Button>
        {rows.length === 0 && <span class="dim">{inList ? 'empty' : 'optional'}</span>}
        <NullButton field={field} value={value} onChange={onChange} label={label} />
      </div>
    </div>
  );
}

function ObjectControl({ field, value, onChange, id, label, inList }: ControlProps<'object'>) {
  const args = isRecord(value) ? value : {};
  const keeps = field.required || inList;
  return (
    <div class="nest" role="group" aria-label={label}>
      <Fields
        id={id}
        fields={field.fields}
        args={args}
        onChange={(next) => onChange(Object.keys(next).length === 0 && !keeps ? undefined : next)}
      />
      <NullButton field={field} value={value} onChange={onChange} label={label} />
    </div>
  );
}

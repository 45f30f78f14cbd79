import type { Field } from './field-model.js';

/** The props of the control of a field. */
export interface ControlProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>;
  /** The current value. Undefined: the parameter is not sent. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** An id that is unique in the page. */
  readonly id: string;
  /** The accessible name, used if the control has no visible label. */
  readonly label: string;
  /** True if the control is a list item. List items are always sent. */
  readonly inList?: boolean;
}

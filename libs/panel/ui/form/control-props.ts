import type { Field } from './field-model.js';

/** What each control of a field gets. */
export interface ControlProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>;
  /** Undefined: not sent. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Unique in the page. */
  readonly id: string;
  /** The accessible name of a control without a label. */
  readonly label: string;
  /** True for a row of a list, which is always sent. */
  readonly inList?: boolean;
}

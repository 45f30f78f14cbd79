import type { ComponentChildren } from 'preact';
import { Button, IconButton, Segments, Select, same } from '@fledge-internal/ui/controls';
import type { QueryRouteView } from '../../../src/panel.api.js';
import type { FilterRow, SortRow } from '../../format/query-url.js';
import { changeDraft, draftOf } from './query-state.js';

interface RowsProps {
  readonly route: QueryRouteView;
}

function Section(props: {
  readonly title: string;
  readonly remark: string;
  readonly add: string;
  readonly onAdd: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="q" role="group" aria-label={props.title}>
      <div class="lbl">
        {props.title} <span class="dim">{props.remark}</span>
      </div>
      {props.children}
      <div>
        <Button look="quiet" small onClick={props.onAdd}>
          {props.add}
        </Button>
      </div>
    </div>
  );
}

export function Filters({ route: { key, columns } }: RowsProps) {
  const { filters } = draftOf(key);
  const change = (next: readonly FilterRow[]): void => changeDraft(key, { filters: next });
  const [first] = columns;
  if (!first) return null;
  const fresh = { column: first.name, operator: first.operators[0] ?? 'eq', value: '' };
  return (
    <Section
      title="Filters"
      remark="combined with AND"
      add="Add filter"
      onAdd={() => change([...filters, fresh])}
    >
      {filters.map((row, at) => (
        <Filter
          key={at}
          row={row}
          columns={columns}
          onChange={(part) => change(filters.with(at, { ...row, ...part }))}
          onRemove={() => change(filters.filter((_row, other) => other !== at))}
        />
      ))}
    </Section>
  );
}

function Filter(props: {
  readonly row: FilterRow;
  readonly columns: QueryRouteView['columns'];
  readonly onChange: (part: Partial<FilterRow>) => void;
  readonly onRemove: () => void;
}) {
  const { row, columns, onChange } = props;
  const column = columns.find(({ name }) => name === row.column);
  const values = column?.values?.map(String);
  return (
    <div class="qf">
      <Select
        label="Column"
        options={same(columns.map(({ name }) => name))}
        value={row.column}
        onChange={(name) => onChange({ column: name })}
      />
      <Select
        label="Operator"
        options={same(column?.operators ?? [])}
        value={row.operator}
        onChange={(operator) => onChange({ operator })}
      />
      {values && TAKES_ONE.has(row.operator) ? (
        <Select
          label="Value"
          options={same(['', ...values])}
          value={row.value}
          onChange={(value) => onChange({ value })}
          required
        />
      ) : (
        <input
          class="in m"
          aria-label="Value"
          required
          placeholder={row.operator === 'in' ? 'values, by commas' : (column?.type ?? 'value')}
          value={row.value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      <IconButton label="Remove filter" onClick={props.onRemove} />
    </div>
  );
}

/** Operators that take exactly one value. */
const TAKES_ONE = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']);

const DIRECTIONS = same(['asc', 'desc']);

export function Sorts({ route: { key, sortable } }: RowsProps) {
  const { sorts } = draftOf(key);
  const change = (next: readonly SortRow[]): void => changeDraft(key, { sorts: next });
  const [first] = sortable;
  if (first === undefined) return null;
  return (
    <Section
      title="Order"
      remark="first has priority"
      add="Add order"
      onAdd={() => change([...sorts, { column: first, direction: 'asc' }])}
    >
      {sorts.map((row, at) => (
        <div class="qs" key={at}>
          <Select
            label="Column"
            options={same(sortable)}
            value={row.column}
            onChange={(column) => change(sorts.with(at, { ...row, column }))}
          />
          <Segments
            label="Direction"
            options={DIRECTIONS}
            value={row.direction as string}
            onChange={(direction) =>
              change(sorts.with(at, { ...row, direction: direction === 'asc' ? 'asc' : 'desc' }))
            }
          />
          <IconButton
            label="Remove order"
            onClick={() => change(sorts.filter((_row, other) => other !== at))}
          />
        </div>
      ))}
    </Section>
  );
}

import type { ComponentChildren } from 'preact';
import { Scroll } from './blocks.js';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `num` aligns right; `m` is monospaced. */
  readonly look?: string;
  /** Label shown before the value if rows are stacked: "calls 22". */
  readonly short?: string;
  /** True if only screen readers get the title. */
  readonly silent?: boolean;
}

/**
 * A table that scrolls sideways on its own. With `stacks`, narrow windows show each row as lines.
 */
export function Table<Row>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly stacks?: boolean;
}) {
  const { label, rows, columns, keyOf } = props;
  return (
    <Scroll label={label}>
      <table class={`tbl ${props.stacks ? 'stackt' : ''}`}>
        <thead>
          <tr>
            {columns.map(({ title, look, silent }) => (
              <th key={title} scope="col" class={look?.includes('num') ? 'num' : ''}>
                {silent ? <span class="sr">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, look, short }) => (
                <td key={title} class={look} data-l={short}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

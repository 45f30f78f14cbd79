import { useSignal } from '@preact/signals';
import { isRecord } from '@fledge-internal/ui/json';

interface TreeProps {
  readonly value: unknown;
  /** Number of levels that are open at first. */
  readonly open?: number;
}

/** A JSON value whose nodes can be folded. The children of a closed node are not rendered. */
export function JsonTree({ value, open = 2 }: TreeProps) {
  return (
    <div class="tree">
      <Node value={value} open={open} />
    </div>
  );
}

/** Number of children shown at first. The rest is shown on request. */
const PAGE = 100;

function Node({ name, value, open }: { name?: string; value: unknown; open: number }) {
  const isOpen = useSignal(open > 0);
  const limit = useSignal(PAGE);
  const key = name === undefined ? null : <i>{name}: </i>;
  const entries = Array.isArray(value)
    ? value.map((item, at): [string, unknown] => [String(at), item])
    : isRecord(value)
      ? Object.entries(value)
      : undefined;
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (!entries || entries.length === 0) {
    return (
      <div class="leaf">
        {key}
        {entries ? `${start}${end}` : <Leaf value={value} />}
      </div>
    );
  }
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {key}
        <i>{`${start}${entries.length}${end}`}</i>
      </summary>
      {isOpen.value && (
        <div class="kids">
          {entries.slice(0, limit.value).map(([member, child]) => (
            <Node key={member} name={member} value={child} open={open - 1} />
          ))}
          {entries.length > limit.value && (
            <button
              type="button"
              class="btn quiet sm"
              onClick={() => (limit.value += PAGE)}
            >{`${entries.length - limit.value} more`}</button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const text = JSON.stringify(value) ?? 'undefined';
  return typeof value === 'string' ? <>{text}</> : <u>{text}</u>;
}

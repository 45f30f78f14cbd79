import { useEffect, useRef } from 'preact/hooks';
import type { AppView } from '../../../src/panel.api.js';
import { countOf } from '../../format/number.js';
import { callsInfo } from '../../state/calls.js';
import { keysOpen } from '../../state/dialogs.js';
import { hrefOf, VIEWS, type ViewId, view } from '../../state/navigation.js';
import { app } from '../../state/resource.js';

const GROUPS = ['Agents', 'API', 'Application'] as const;

/** Lists the views, with a number next to each. */
export function Rail() {
  const rail = useRef<HTMLElement>(null);
  const current = view.value;
  useEffect(() => {
    const entry = rail.current?.querySelector<HTMLElement>('[aria-current]');
    if (rail.current && entry) {
      rail.current.scrollLeft =
        entry.offsetLeft - rail.current.clientWidth / 2 + entry.offsetWidth / 2;
    }
  }, [current]);
  return (
    <nav class="rail" aria-label="Views" ref={rail}>
      {GROUPS.map((group) => (
        <>
          <p class="group">{group}</p>
          {VIEWS.filter((entry) => entry.group === group).map(({ id, label }) => (
            <a key={id} href={hrefOf(id)} aria-current={id === current ? 'page' : undefined}>
              {label}
              <Badge badge={badgeOf(id, app.data.value?.counts)} />
            </a>
          ))}
        </>
      ))}
      <button type="button" class="help" onClick={() => (keysOpen.value = true)}>
        <kbd>?</kbd> keyboard
      </button>
    </nav>
  );
}

interface BadgeText {
  readonly text: string;
  readonly look?: 'warn' | 'err';
}

function Badge({ badge }: { readonly badge: BadgeText | undefined }) {
  if (!badge) return null;
  return (
    <span class={badge.look}>
      {badge.text}
      {badge.look && <span class="sr"> need attention</span>}
    </span>
  );
}

function badgeOf(id: ViewId, counts: AppView['counts'] | undefined): BadgeText | undefined {
  switch (id) {
    case 'calls':
      return number(callsInfo.value?.total);
    case 'lint':
      return number(counts?.findings, 'warn');
    case 'sessions':
      return sessionsBadge(counts?.sessions);
    case 'snapshots':
      return counts?.snapshotErrors
        ? number(counts.snapshotErrors, 'err')
        : number(counts?.snapshots);
    default:
      return number(counts?.[id]);
  }
}

function number(count: number | undefined, look?: 'warn' | 'err'): BadgeText | undefined {
  if (count === undefined) return undefined;
  return look && count > 0 ? { text: countOf(count), look } : { text: countOf(count) };
}

function sessionsBadge(sessions: AppView['counts']['sessions']): BadgeText | undefined {
  if (!sessions) return undefined;
  const { open, max } = sessions;
  if (max === undefined) return { text: countOf(open) };
  const text = `${countOf(open)}/${countOf(max)}`;
  return open >= max ? { text, look: 'warn' } : { text };
}

import { computed } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import { BrandIcon, SearchIcon, ThemeIcon } from '@fledge-internal/ui/icons';
import { theme, toggleTheme } from '@fledge-internal/ui/theme';
import { severityOf } from '../../format/calls.js';
import { allCalls } from '../../state/calls.js';
import { now } from '../../state/clock.js';
import { headersOpen, paletteOpen } from '../../state/dialogs.js';
import { hrefOf } from '../../state/navigation.js';
import { app } from '../../state/resource.js';
import { sender } from '../../state/settings.js';

/**
 * Shows the application's name, the calls of the last minute, and whose headers the panel sends.
 */
export function TopBar() {
  const { name = 'application', version } = app.data.value ?? {};
  return (
    <header class="top">
      <div class="brand">
        <BrandIcon />
        <span class="w">Fledge</span>
      </div>
      <div class="app cut">
        <b>{name}</b> <span class="dim">{version}</span>
      </div>
      <a class="pulse" href={hrefOf('calls')} title="Calls in the last 60 seconds">
        <span class="nowrap">{marks.value.length > 0 ? 'last 60 s' : 'no calls in 60 s'}</span>
        {marks.value.length > 0 && <Pulse />}
        <span class="sr">Open calls</span>
      </a>
      <span class="sep" />
      <SendAs />
      <Button aria-label="Search and commands, Ctrl K" onClick={() => (paletteOpen.value = true)}>
        <SearchIcon />
        <kbd class="kb">Ctrl K</kbd>
      </Button>
      <Button
        class="icon th"
        aria-label={`Switch to ${theme.value === 'dark' ? 'light' : 'dark'} theme`}
        onClick={toggleTheme}
      >
        <ThemeIcon />
      </Button>
    </header>
  );
}

function SendAs() {
  return (
    <Button class="as" aria-haspopup="dialog" onClick={() => (headersOpen.value = true)}>
      <span class="dim v">Send as</span> <b class="cut">{sender.value ?? 'no headers'}</b>
    </Button>
  );
}

const WIDTH = 150;
const HEIGHT = 22;
const MINUTE = 60_000;

/**
 * One mark for each call: its position is the age of the call, its height the duration on a
 * logarithmic scale.
 */
const marks = computed(() =>
  allCalls.value
    .filter(({ at }) => now.value - Date.parse(at) < MINUTE)
    .map((call) => ({
      id: call.id,
      severity: severityOf(call),
      x: WIDTH - 2 - (Math.max(0, now.value - Date.parse(call.at)) / MINUTE) * (WIDTH - 4),
      y: Math.min(20, Math.max(4, (Math.log10(call.ms + 1) / 2.2) * 16)),
    })),
);

function Pulse() {
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" class="marks">
      <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      {marks.value.map(({ id, severity, x, y }) => (
        <path key={id} class={severity} d={`M${x.toFixed(1)} ${HEIGHT - 1}v-${y}`} />
      ))}
    </svg>
  );
}

import { Button } from '@fledge-internal/ui/controls';
import { BrandIcon, ThemeIcon } from '@fledge-internal/ui/icons';
import { theme, toggleTheme } from '@fledge-internal/ui/theme';
import { endpointPath } from '../api/endpoint.js';
import { side, type Side, toggleSide } from '../state/side.js';

/** Shows the endpoint, and the settings of the page. */
export function TopBar() {
  return (
    <header class="top">
      <BrandIcon />
      <h1 class="cut">
        <span class="word">GraphQL </span>
        <code>{endpointPath}</code>
      </h1>
      <span class="grow" />
      <SideButton name="docs" label="Documentation" />
      <SideButton name="history" label="History" />
      <Button
        class="icon"
        aria-label={`Switch to ${theme.value === 'dark' ? 'light' : 'dark'} theme`}
        onClick={toggleTheme}
      >
        <ThemeIcon />
      </Button>
    </header>
  );
}

function SideButton({ name, label }: { readonly name: Side; readonly label: string }) {
  return (
    <Button aria-pressed={side.value === name} onClick={() => toggleSide(name)}>
      {label}
    </Button>
  );
}

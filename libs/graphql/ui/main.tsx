import '@fledge-internal/ui/base.css';
import { render } from 'preact';
import './style/index.css';
import { start } from './state/run.js';
import { loadSchema } from './state/schema.js';
import { App } from './views/app.js';

render(<App />, document.body);
void loadSchema();

// The editors handle this key themselves.
addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  start();
});

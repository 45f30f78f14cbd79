import '@fledge-internal/ui/base.css';
import { render } from 'preact';
import './style/index.css';
import { App } from './views/app.js';
import { listenForKeys } from './views/shell/shortcuts.js';

listenForKeys();
render(<App />, document.body);

import './style/index.css';
import { render } from 'preact';
import { App } from './views/app.js';
import { listenForKeys } from './views/shell/shortcuts.js';

listenForKeys();
render(<App />, document.body);

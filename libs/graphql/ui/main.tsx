import './style/index.css';
import { render } from 'preact';
import { loadSchema } from './state/schema.js';
import { App } from './views/app.js';

render(<App />, document.body);
void loadSchema();

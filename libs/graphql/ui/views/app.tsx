import { side } from '../state/side.js';
import { Docs } from './docs.js';
import { History } from './history.js';
import { Request } from './request.js';
import { Result } from './result.js';
import { TopBar } from './top-bar.js';

/**
 * The page: the request on the left, its result next to it, and the documentation or the history on
 * the right.
 */
export function App() {
  return (
    <>
      <TopBar />
      <main class={side.value === 'none' ? '' : 'with-side'}>
        <Request />
        <Result />
        {side.value === 'docs' && <Docs />}
        {side.value === 'history' && <History />}
      </main>
    </>
  );
}

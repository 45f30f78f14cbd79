// Builds the pages that packages serve. Uses the packages installed in the repository.
import * as vite from 'vite';
import { buildPages } from './pages.mjs';

await buildPages(vite);

// Builds the pages that packages serve, with the packages of the repository.
import * as vite from 'vite';
import { buildPages } from './pages.mjs';

await buildPages(vite);

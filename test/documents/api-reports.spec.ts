// Packages in internal/ are not published, so public types must not show theirs. `npm run check:api` keeps the reports
// current.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

const INTERNAL = /\b(?:OptionTable|ReadOptions)\b|\b(?:interface|class) (?:Rule|Place)\b/;

it('the reports of public types do not show the tables of options', () => {
  const reports = readdirSync(join(root, 'api')).map((name) => join(root, 'api', name));
  expect(reports.length).toBeGreaterThan(30);
  expect(reports.filter((path) => INTERNAL.test(readFileSync(path, 'utf8')))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as library from 'graphql-query-complexity';
import { type Complexity, loadComplexity, refuseUnfit } from './operation-cost.js';

const { version } = JSON.parse(
  readFileSync(
    new URL('../../../../node_modules/graphql-query-complexity/package.json', import.meta.url),
    'utf8',
  ),
) as { version: string };

describe('the package that calculates costs', () => {
  it('is checked at startup with an operation that costs 1', async () => {
    await expect(loadComplexity()).resolves.toBeDefined();
    expect(() => refuseUnfit(library)).not.toThrow();
  });

  it('is refused if no field costs anything there', () => {
    // What version 1 does: it finds no fields with its own copy of graphql.
    const blind: Complexity = {
      ...library,
      createComplexityRule: (options) =>
        library.createComplexityRule({ ...options, estimators: [() => 0] }),
    };
    expect(() => refuseUnfit(blind)).toThrow(
      expect.objectContaining({
        code: 'GRAPHQL_UNFIT_PEER',
        message:
          `limits.cost does not work with the installed "graphql-query-complexity" ${version}: an operation with ` +
          'one field costs 0 instead of 1. Install a compatible version: npm install graphql-query-complexity@2',
      }),
    );
  });
});

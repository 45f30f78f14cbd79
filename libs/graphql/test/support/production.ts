import { afterEach, beforeEach } from '@jest/globals';

/** Runs each test of a file with NODE_ENV=production. */
export function testInProduction(): void {
  const { NODE_ENV } = process.env;
  beforeEach(() => {
    process.env['NODE_ENV'] = 'production';
  });
  afterEach(() => {
    process.env['NODE_ENV'] = NODE_ENV;
  });
}

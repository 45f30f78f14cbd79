import { describe, expect, it } from '@jest/globals';
import { listServerFlaws } from './server-flaws.js';

describe('flaws of servers', () => {
  it.each([
    [180000, [], undefined],
    [170006, [], undefined],
    [170005, ['CVE-2025-8713'], '17.6'],
    [170000, ['CVE-2024-10976', 'CVE-2025-8713'], '17.6'],
    [160009, ['CVE-2025-8713'], '16.10'],
    [150014, [], undefined],
    [150002, ['CVE-2023-2455', 'CVE-2024-10976', 'CVE-2025-8713'], '15.14'],
    [130022, [], undefined],
    // No longer mended.
    [120022, ['CVE-2025-8713'], undefined],
    [100023, ['CVE-2023-2455', 'CVE-2024-10976', 'CVE-2025-8713'], undefined],
  ])('of %i are %j', (version, cves, fixedIn) => {
    expect(listServerFlaws(version)).toEqual({ cves, fixedIn });
  });
});

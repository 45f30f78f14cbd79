import { describe, expect, it } from '@jest/globals';
import type { CheckFinding } from '@fledge/mcp/check';
import { findingsText } from './findings.js';

const finding = (places: CheckFinding['places'], change: Partial<CheckFinding> = {}) => ({
  rule: 'N1',
  severity: 'error' as const,
  clients: ['claude' as const, 'copilot' as const],
  text: 'Names are bad.',
  fix: 'Rename.',
  source: 'a/b#1',
  date: '2026-08-02',
  places,
  ...change,
});

describe('findingsText', () => {
  it('shows rule, fix, source and places, and counts', () => {
    const many = Array.from({ length: 12 }, (_, i) => ({ tool: `t${i}` }));
    const findings = [
      finding([{ tool: 'a', parameter: 'b.c', detail: '9 bytes' }, { detail: '41 tools' }]),
      finding(many, { severity: 'warning', clients: ['zed'] }),
      finding([{ tool: 'a' }], { severity: 'info' }),
    ];
    expect(findingsText(findings.slice(0, 1), { kind: 'pipe' })).toBe(
      'error N1: Names are bad.\n' +
        '  Rename.\n' +
        '  claude, copilot: a/b#1, 2026-08-02\n' +
        '  in a.b.c (9 bytes), the server (41 tools)\n\n' +
        '1 error.\n',
    );
    const text = findingsText(findings, { kind: 'pipe' });
    expect(text).toContain('t9 and 2 more\n');
    expect(text).toMatch(/\n1 error, 1 warning, 1 info\.\n$/);
  });

  it('says that there is nothing', () => {
    expect(findingsText([], { kind: 'pipe' })).toBe('No findings.\n');
  });

  it('executes no control characters of a server', () => {
    const terminal = { kind: 'terminal', columns: 80, color: false } as const;
    expect(findingsText([finding([{ tool: 'a\u001B[2J' }])], terminal)).not.toContain('\u001B');
  });
});

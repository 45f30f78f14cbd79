import { describe, expect, it } from '@jest/globals';
import type { PanelFinding, PanelTool } from '@fledge/core/packages';
import { lintOf } from './lint.js';
import { measuredTool } from './measured-tool.js';

const tool = (name: string, properties: object, more: Partial<PanelTool> = {}): PanelTool => ({
  name,
  description: 'Does something',
  inputSchema: {
    type: 'object',
    properties,
    $defs: { Named: { type: 'string', description: 'x' } },
  },
  annotations: {},
  verb: 'GET',
  path: `/${name}`,
  handler: `X.${name}`,
  request: { places: [], body: 'none' },
  ...more,
});

const lint = (...tools: PanelTool[]) =>
  lintOf(
    tools.map((each) => ({ ...measuredTool(each), url: '../x' })),
    [],
  );

const GOOD = { id: { type: 'integer', description: 'Id of a task' } };

describe('the lint of a catalogue', () => {
  it('has no finding for tools that break no rule', () => {
    expect(lint(tool('a', GOOD)).findings).toEqual([]);
  });

  it('shows the rules that tools break, with whose they are', () => {
    const places = [{ tool: 'a.b' }, { detail: '41 tools' }];
    const broken: PanelFinding = {
      ...{ rule: 'N1', severity: 'error', clients: ['claude', 'copilot'], text: 'A dot.' },
      ...{ fix: 'Rename.', source: 'a/b#1', date: '2026-08-02', places },
    };
    const [finding] = lintOf([], [broken]).findings;
    expect(finding).toEqual({
      kind: 'N1',
      severity: 'error',
      title: 'A dot.',
      text: 'This rule applies to claude, copilot. Source: a/b#1, 2026-08-02.',
      places,
      cure: 'Rename.',
    });
  });

  it('counts parameters without a description, also by reference', () => {
    const properties = { plain: { type: 'string' }, blank: { type: 'string', description: ' ' } };
    const named = { named: { $ref: '#/$defs/Named' }, lost: { $ref: '#/x' }, any: true };
    expect(lint(tool('a', properties), tool('b', named))).toMatchObject({
      parameters: 5,
      undescribed: 4,
    });
    const circle = { type: 'object', properties: { a: { $ref: '#/properties/a' } } };
    expect(lint(tool('a', {}, { inputSchema: circle })).undescribed).toBe(1);
  });

  it('names the widest tools of a catalogue above the limit', () => {
    const wide = tool('wide', GOOD, { description: 'x'.repeat(100_100) });
    const { findings: found, tokens, tools } = lint(tool('narrow', GOOD), wide);
    expect(tokens).toBeGreaterThan(25_000);
    expect(found.map(({ kind }) => kind)).toEqual(['size']);
    expect(found[0]?.places[0]).toEqual({ tool: 'wide' });
    expect(tools.map(({ name }) => name)).toEqual(['wide', 'narrow']);
  });

  it('sums up to the bytes of the tools', () => {
    const { bytes, tools } = lint(tool('a', GOOD), tool('é', {}));
    expect(tools.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
    for (const { bytes: whole, schemaBytes, descriptionBytes, otherBytes } of tools) {
      expect(schemaBytes + descriptionBytes + otherBytes).toBe(whole);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import type { PanelTool } from '@fledge/core/packages';
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
  lintOf(tools.map((each) => ({ ...measuredTool(each), url: '../x' })));

const findings = (...tools: PanelTool[]) =>
  lint(...tools).findings.map(({ kind, places }) => [
    kind,
    ...places.map(({ tool: name, parameter }) => [name, parameter].filter(Boolean).join('.')),
  ]);

const GOOD = { id: { type: 'integer', description: 'Id of a task' } };

describe('the lint of a catalogue', () => {
  it('has no finding for tools that are described and typed', () => {
    expect(findings(tool('a', GOOD))).toEqual([]);
  });

  it('finds what is not described, also by reference', () => {
    const properties = { plain: { type: 'string' }, blank: { type: 'string', description: ' ' } };
    const named = { named: { $ref: '#/$defs/Named' } };
    expect(findings(tool('a', properties), tool('b', named))).toEqual([
      ['parameter-description', 'a.plain', 'a.blank'],
      ['reference', 'b.named'],
    ]);
  });

  it('finds tools with the description that a route gets by default', () => {
    const bare = tool('a', GOOD, { description: 'GET /a' });
    expect(findings(bare, tool('b', GOOD, { description: '' }))).toEqual([
      ['tool-description', 'a', 'b'],
    ]);
  });

  it('finds parameters without a type, and lists of types at any depth', () => {
    const any = { description: 'Anything' };
    const nested = {
      type: 'array',
      description: 'Rows',
      items: { type: 'object', properties: { due: { type: ['string', 'null'] } } },
    };
    expect(findings(tool('a', { any, nested, type: GOOD.id }))).toEqual([
      ['untyped', 'a.any'],
      ['type-list', 'a.nested'],
    ]);
  });

  it('names the widest tools of a catalogue above the limit', () => {
    const wide = tool('wide', GOOD, { description: 'x'.repeat(100_100) });
    const { findings: found, tokens, tools } = lint(tool('narrow', GOOD), wide);
    expect(tokens).toBeGreaterThan(25_000);
    expect(found.map(({ kind }) => kind)).toEqual(['size']);
    expect(found[0]?.places[0]).toEqual({ tool: 'wide' });
    expect(tools.map(({ name }) => name)).toEqual(['wide', 'narrow']);
  });

  it('survives schemas that refer to themselves or to nothing', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/properties/a' }, b: { $ref: '#/x' }, c: true },
    };
    expect(findings(tool('a', {}, { inputSchema: schema }))).toEqual([
      ['parameter-description', 'a.a', 'a.b', 'a.c'],
      ['untyped', 'a.c'],
      ['reference', 'a.a', 'a.b'],
    ]);
  });

  it('sums up to the bytes of the tools', () => {
    const { bytes, tools } = lint(tool('a', GOOD), tool('é', {}));
    expect(tools.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
    for (const { bytes: whole, schemaBytes, descriptionBytes, otherBytes } of tools) {
      expect(schemaBytes + descriptionBytes + otherBytes).toBe(whole);
    }
  });
});

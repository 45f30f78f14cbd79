import { describe, expect, it } from '@jest/globals';
import { addPeers } from './peers.js';

const MCP = {
  name: '@fledge/mcp',
  peerDependencies: {
    '@nestjs/core': '^11.1.4 || ^12.0.0',
    'class-validator': '^0.14.0 || ^0.15.0',
    'nestjs-cls': '^6.3.1 || ^7.0.0',
    rxjs: '^7.8.0',
  },
  peerDependenciesMeta: { 'class-validator': { optional: true } },
};
const installed = (versions: Record<string, string> = {}, ofWorkspace: string[] = []) => ({
  versionOf: (name: string) => versions[name],
  ofWorkspace: new Set(ofWorkspace),
});
const manifest = (dependencies: Record<string, string>) =>
  JSON.stringify({ dependencies }, null, 2);

describe('addPeers', () => {
  it.each([
    ['^11.0.1', '^6.3.1'],
    ['~12.5.0', '^7.0.0'],
    ['^11.0.0 || ^12.0.0', '^7.0.0'],
  ])('adds the nestjs-cls of NestJS %s', (nest, cls) => {
    const { added } = addPeers(
      manifest({ '@nestjs/core': nest, rxjs: '^7.8.1' }),
      MCP,
      installed(),
    );
    expect(added).toEqual({ 'nestjs-cls': cls });
  });

  it('writes them sorted, and keeps indentation, line ends and other keys', () => {
    const text =
      '{\r\n\t"private": true,\r\n\t"dependencies": {\r\n\t\t"@nestjs/core": "^12.0.0"\r\n\t}\r\n}\r\n';
    expect(addPeers(text, MCP, installed()).text).toBe(
      '{\r\n\t"private": true,\r\n\t"dependencies": {\r\n\t\t"@nestjs/core": "^12.0.0",\r\n\t\t"nestjs-cls": "^7.0.0",\r\n\t\t"rxjs": "^7.8.0"\r\n\t}\r\n}\r\n',
    );
  });

  it('changes nothing where they are listed, of whatever kind', () => {
    const text = JSON.stringify({
      dependencies: { '@nestjs/core': '^12.0.0', rxjs: 'catalog:' },
      devDependencies: { 'nestjs-cls': '^7.1.0' },
    });
    expect(addPeers(text, MCP, installed())).toEqual({ text, added: {} });
  });

  it.each(['catalog:', '*', 'latest', '>=11', 'workspace:*'])(
    'goes by the installed version where package.json has %s',
    (range) => {
      const versions = { '@nestjs/core': '11.2.10', 'nestjs-cls': '6.3.1', rxjs: '7.8.2' };
      const dependencies = { '@nestjs/core': range, 'nestjs-cls': range, rxjs: range };
      expect(addPeers(manifest(dependencies), MCP, installed(versions)).added).toEqual({});
      const { added } = addPeers(manifest({ '@nestjs/core': range }), MCP, installed(versions));
      expect(added).toEqual({ 'nestjs-cls': '^6.3.1', rxjs: '^7.8.0' });
    },
  );

  it('takes packages of the workspace for listed', () => {
    const versions = { '@nestjs/core': '12.5.1', 'nestjs-cls': '7.0.0', rxjs: '7.8.2' };
    const text = manifest({});
    const ofWorkspace = installed(versions, Object.keys(versions));
    expect(addPeers(text, MCP, ofWorkspace)).toEqual({ text, added: {} });
  });

  it('takes each major version of a peer that fits', () => {
    const graphql = {
      ...MCP,
      peerDependencies: { ...MCP.peerDependencies, graphql: '^16.11.0 || ^17.0.0' },
    };
    const listed = { '@nestjs/core': '^12.0.0', 'nestjs-cls': '^7.0.0', rxjs: '^7.8.0' };
    expect(addPeers(manifest(listed), graphql, installed()).added).toEqual({ graphql: '^16.11.0' });
    const with17 = manifest({ ...listed, graphql: '^17.0.0' });
    for (const versions of [{}, { graphql: '17.0.2' }]) {
      expect(addPeers(with17, graphql, installed(versions)).added).toEqual({});
    }
  });

  it('takes nestjs-cls 6 with NestJS 12, which npm installs on Node.js 20', () => {
    const listed = { '@nestjs/core': '^12.0.0', 'nestjs-cls': '^6.3.1', rxjs: '^7.8.0' };
    for (const versions of [{}, { '@nestjs/core': '12.5.1', 'nestjs-cls': '6.3.1' }]) {
      expect(addPeers(manifest(listed), MCP, installed(versions)).added).toEqual({});
    }
  });

  it.each<[Record<string, string>, Record<string, string>, RegExp]>([
    [
      { '@nestjs/core': '^11.0.0', 'nestjs-cls': '^7.0.0' },
      {},
      /has nestjs-cls \^7\.0\.0, but @fledge\/mcp requires \^6\.3\.1/,
    ],
    [
      { '@nestjs/core': '*', 'nestjs-cls': '*' },
      { '@nestjs/core': '11.2.0', 'nestjs-cls': '7.0.0' },
      /nestjs-cls 7\.0\.0 is installed, but .* requires \^6\.3\.1/,
    ],
    [
      { '@nestjs/core': '^10.4.0' },
      {},
      /has @nestjs\/core \^10\.4\.0, but .* requires \^11\.1\.4 \|\|/,
    ],
    [
      { '@nestjs/core': '^11.0.0' },
      { '@nestjs/core': '11.0.5' },
      /@nestjs\/core 11\.0\.5 is installed, but .* requires \^11\.1\.4 \|\|/,
    ],
    [
      { '@nestjs/core': 'catalog:' },
      {},
      /unknown: package\.json has the range catalog:.*Install the packages/,
    ],
    [{}, {}, /does not list @nestjs\/core/],
  ])('refuses %j with %j installed', (dependencies, versions, message) => {
    expect(() => addPeers(manifest(dependencies), MCP, installed(versions))).toThrow(message);
  });
});

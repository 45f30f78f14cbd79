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
const manifest = (dependencies: Record<string, string>) =>
  JSON.stringify({ dependencies }, null, 2);

describe('addPeers', () => {
  it.each([
    ['^11.0.1', '^6.3.1'],
    ['~12.5.0', '^7.0.0'],
    ['^11.0.0 || ^12.0.0', '^7.0.0'],
  ])('adds the nestjs-cls of NestJS %s', (nest, cls) => {
    const { added } = addPeers(manifest({ '@nestjs/core': nest, rxjs: '^7.8.1' }), MCP);
    expect(added).toEqual({ 'nestjs-cls': cls });
  });

  it('writes them sorted, and keeps indentation, line ends and other keys', () => {
    const text =
      '{\r\n\t"private": true,\r\n\t"dependencies": {\r\n\t\t"@nestjs/core": "^12.0.0"\r\n\t}\r\n}\r\n';
    expect(addPeers(text, MCP).text).toBe(
      '{\r\n\t"private": true,\r\n\t"dependencies": {\r\n\t\t"@nestjs/core": "^12.0.0",\r\n\t\t"nestjs-cls": "^7.0.0",\r\n\t\t"rxjs": "^7.8.0"\r\n\t}\r\n}\r\n',
    );
  });

  it('changes nothing where they are listed, of whatever kind', () => {
    const text = JSON.stringify({
      dependencies: { '@nestjs/core': '^12.0.0', rxjs: 'catalog:' },
      devDependencies: { 'nestjs-cls': '^7.1.0' },
    });
    expect(addPeers(text, MCP)).toEqual({ text, added: {} });
  });

  it.each([
    [{ '@nestjs/core': '^11.0.0', 'nestjs-cls': '^7.0.0' }, /needs \^6\.3\.1 with NestJS 11/],
    [{ '@nestjs/core': '^10.4.0' }, /has @nestjs\/core \^10\.4\.0, but .* needs NestJS 11 or 12/],
    [{}, /does not list @nestjs\/core/],
  ])('refuses %j', (dependencies, message) => {
    expect(() => addPeers(manifest(dependencies), MCP)).toThrow(message);
  });
});

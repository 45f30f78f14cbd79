import { describe, expect, it } from '@jest/globals';
import compiler from 'typescript';
import { addToImports } from './module-imports.js';

const ROOT = { path: 'src/app.module.ts', className: 'AppModule' };
const ADDED = {
  name: 'McpModule',
  call: "McpModule.forRoot({ name: 'shop' })",
  from: '@fledge/mcp',
};
const add = (text: string) => addToImports(text, ROOT, ADDED, compiler);

const HEAD = `import { Module } from '@nestjs/common';\n`;
const LINE = `import { McpModule } from '@fledge/mcp';\n`;
const CALL = ADDED.call;

/** A file with one root module, of the given metadata. */
const fileOf = (metadata: string) => `${HEAD}\n@Module(${metadata})\nexport class AppModule {}\n`;
const added = (metadata: string) =>
  `${HEAD}${LINE}\n@Module(${metadata})\nexport class AppModule {}\n`;

describe('addToImports', () => {
  it.each([
    ['an empty list', '{ imports: [] }', `{ imports: [${CALL}] }`],
    ['one module', '{ imports: [A] }', `{ imports: [A, ${CALL}] }`],
    ['a trailing comma', '{ imports: [A,], }', `{ imports: [A, ${CALL},], }`],
    [
      'calls of forRoot on lines of their own',
      '{\n  imports: [\n    ConfigModule.forRoot({ isGlobal: true }),\n    A.forRoot(),\n  ],\n}',
      `{\n  imports: [\n    ConfigModule.forRoot({ isGlobal: true }),\n    A.forRoot(),\n    ${CALL},\n  ],\n}`,
    ],
    [
      'a call over several lines at the end',
      '{\n  imports: [\n    A,\n    B.forRootAsync({\n      useFactory: () => ({ a: [1, 2] }),\n    }),\n  ],\n}',
      `{\n  imports: [\n    A,\n    B.forRootAsync({\n      useFactory: () => ({ a: [1, 2] }),\n    }),\n    ${CALL},\n  ],\n}`,
    ],
    [
      'no imports',
      '{\n  controllers: [A],\n  providers: [],\n}',
      `{\n  controllers: [A],\n  providers: [],\n  imports: [${CALL}],\n}`,
    ],
    ['empty metadata', '{}', `{ imports: [${CALL}] }`],
    ['metadata on one line', '{ controllers: [A] }', `{ controllers: [A], imports: [${CALL}] }`],
    ['a computed key', "{ ['imports']: [A] }", `{ ['imports']: [A, ${CALL}] }`],
    [
      'a comment on the line',
      '{ imports: [A /* first */] }',
      `{ imports: [A /* first */, ${CALL}] }`,
    ],
    [
      'a comment behind the last module',
      '{\n  imports: [\n    A, // first\n    B // second\n  ],\n}',
      `{\n  imports: [\n    A, // first\n    B, // second\n    ${CALL}\n  ],\n}`,
    ],
    [
      'a list with a comment alone',
      '{ imports: [/* none */] }',
      `{ imports: [/* none */ ${CALL}] }`,
    ],
    [
      'a list with a line of comment alone',
      '{\n  imports: [\n    // A,\n  ],\n}',
      `{\n  imports: [\n    // A,\n    ${CALL},\n  ],\n}`,
    ],
    ['a key in quotes', "{ 'imports': [A] }", `{ 'imports': [A, ${CALL}] }`],
    [
      'comments',
      '{\n  imports: [\n    // the database\n    A, // first\n    /* B, */\n  ],\n}',
      `{\n  imports: [\n    // the database\n    A, // first\n    ${CALL},\n    /* B, */\n  ],\n}`,
    ],
    [
      'a conditional list in the list',
      '{ imports: [A, ...(process.env.DEBUG ? [B] : [])] }',
      `{ imports: [A, ...(process.env.DEBUG ? [B] : []), ${CALL}] }`,
    ],
    [
      'imports of a module that a list element makes',
      '{ imports: [A.forRootAsync({ imports: [B] })], controllers: [] }',
      `{ imports: [A.forRootAsync({ imports: [B] }), ${CALL}], controllers: [] }`,
    ],
  ])('edits %s', (_shape, before, after) => {
    expect(add(fileOf(before))).toBe(added(after));
    expect(syntaxErrors(add(fileOf(before)))).toEqual([]);
  });

  it('keeps CRLF', () => {
    for (const metadata of ['{\n  imports: [\n    A,\n  ],\n}', '{}', '{\n  controllers: [],\n}']) {
      const crlf = add(fileOf(metadata).replaceAll('\n', '\r\n'));
      expect(crlf).toBe(add(fileOf(metadata)).replaceAll('\n', '\r\n'));
    }
  });

  it('follows double quotes and missing semicolons', () => {
    const text =
      'import { Module } from "@nestjs/common"\n\n@Module({})\nexport class AppModule {}\n';
    expect(add(text)).toBe(
      'import { Module } from "@nestjs/common"\nimport { McpModule } from "@fledge/mcp"\n\n' +
        '@Module({ imports: [McpModule.forRoot({ name: "shop" })] })\nexport class AppModule {}\n',
    );
  });

  it('writes its import after the last one, wherever that stands', () => {
    const text = `${HEAD}const C = A.forRoot();\nimport { B } from './b.js'; // late\n\n@Module({ imports: [C] })\nclass AppModule {}`;
    expect(add(text)).toBe(
      `${HEAD}const C = A.forRoot();\nimport { B } from './b.js'; // late\n${LINE}\n@Module({ imports: [C, ${CALL}] })\nclass AppModule {}`,
    );
  });

  it('writes no second import of the class', () => {
    const text = `${HEAD}${LINE}\n@Module({ imports: [] })\nexport class AppModule {}\n`;
    expect(add(text)).toBe(added(`{ imports: [${CALL}] }`));
  });

  it.each([
    ['a class of another package', "import { McpModule } from '@rekog/mcp-nest';\n"],
    ['a default import', "import McpModule from './mcp';\n"],
    ['a namespace', "import * as McpModule from './mcp';\n"],
    ['the type alone', "import type { McpModule } from '@fledge/mcp';\n"],
    ['the type alone, in a list', "import { type McpModule } from '@fledge/mcp';\n"],
    ['a class of the file', 'class McpModule {}\n'],
  ])('gives the class another name where the name is %s', (_kind, line) => {
    const text = add(line + fileOf('{ imports: [] }'));
    expect(text).toContain("import { McpModule as FledgeMcpModule } from '@fledge/mcp';");
    expect(text).toContain("{ imports: [FledgeMcpModule.forRoot({ name: 'shop' })] }");
    expect(text).toContain(line);
  });

  it('uses the name under which the file imports the class', () => {
    const line = "import { McpModule as Mcp } from '@fledge/mcp';\n";
    expect(add(line + fileOf('{ imports: [] }'))).toBe(
      line + fileOf("{ imports: [Mcp.forRoot({ name: 'shop' })] }"),
    );
  });

  it('edits the root module among several, also behind one in a function', () => {
    const others = `${HEAD}
const moduleOf = () => {
  @Module({ imports: [A] })
  class Inner {}
  return Inner;
};

@Module({ imports: [B] })
class Other {}
`;
    const root = '\n@Module({ imports: [Other] })\nexport class AppModule {}\n';
    expect(add(others + root)).toBe(
      others.replace(HEAD, HEAD + LINE) + root.replace('[Other]', `[Other, ${CALL}]`),
    );
  });

  it.each([
    [
      'a variable',
      fileOf('{ imports: modules }'),
      /`imports` of AppModule .* is modules instead of an array literal/,
    ],
    ['a shorthand', fileOf('{ imports }'), /is a variable instead of an array literal/],
    ['a call', fileOf('{ imports: listOf(A) }'), /is listOf\(A\) instead of an array literal/],
    [
      'a spread list',
      fileOf('{ imports: [...common] }'),
      /contains \.\.\.common, which is declared elsewhere/,
    ],
    ['spread metadata', fileOf('{ ...base, controllers: [] }'), /spreads an object/],
    [
      'metadata from elsewhere',
      fileOf('metadata'),
      /receives metadata instead of an object literal/,
    ],
    ['no metadata', fileOf(''), /receives nothing instead of an object literal/],
    ['no decorator', `${HEAD}export class AppModule {}`, /has no decorator @Module\(\)/],
    [
      'a decorator by another name',
      `@common.Module({})\nexport class AppModule {}`,
      /has no decorator/,
    ],
    ['a computed key', fileOf('{ [KEY]: [A] }'), /has a computed key/],
    [
      'two keys',
      fileOf("{ imports: [A], 'imports': [B] }"),
      /@Module\(\) of AppModule .* has the key `imports` more than once/,
    ],
    [
      'a list without an end',
      fileOf('{ imports: [A, B }'),
      /^src\/app\.module\.ts, line 3, is not valid TypeScript: '.*' expected\. Correct the file, then run nest add again\.$/,
    ],
    [
      'a text without an end',
      fileOf('{ imports: [A.forRoot(`x)] }'),
      /^src\/app\.module\.ts, line \d+, is not valid TypeScript: Unterminated template literal\./,
    ],
  ])('refuses %s', (_shape, text, message) => {
    expect(() => add(text)).toThrow(expect.objectContaining({ code: 'CLI_NOT_ADDED' }));
    expect(() => add(text)).toThrow(message);
  });
});

function syntaxErrors(text: string): unknown[] {
  return compiler.transpileModule(text, { reportDiagnostics: true }).diagnostics ?? [];
}

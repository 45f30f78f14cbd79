// What an editor shows of an option: the TypeScript language service reads the declarations of the packed libs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { consumer } from '../support/consumer.js';

/** Above each statement: the interface that declares its last option, and how the comment of the option begins and ends. */
const APPLICATION = `import { ContextModule } from '@fledge/core';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule, McpTool } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { Paginated, QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
// McpAdapterOptions.basePath: Base path of the endpoint @default '/_mcp'
McpModule.forRoot({ name: 'shop', basePath: '/mcp' });
// McpLimitOptions.timeoutMs: Maximum duration of a call in milliseconds. @default 30_000
McpModule.forRoot({ name: 'shop', limits: { timeoutMs: 5_000 } });
// McpOidcAuthOptions.clockToleranceMs: Accepted clock difference in milliseconds for the times in tokens. @default 30_000
McpModule.forRoot({ name: 'shop', auth: { type: 'oidc', issuer: 'https://id.example', audience: 'shop', clockToleranceMs: 0 } });
// McpResumeOptions.keepMs: Milliseconds for which an event is stored. @default 60_000
McpModule.forRoot({ name: 'shop', sessions: { resume: { keepMs: 5_000 } } });
// McpToolAnnotations.readOnlyHint: The tool changes nothing. @default true for GET
export class Tools { @McpTool({ description: 'Lists', annotations: { readOnlyHint: true } }) list() {} }
// TenantAdapterOptions.queryParam: Query parameter that the strategy @default 'tenant'
TenantModule.forRoot({ strategy: 'query', queryParam: 'shop' });
// TenantPathOptions.segment: Index of the tenant's segment @default 0
TenantModule.forRoot({ strategy: 'path', path: { segment: 1 } });
// TenantCacheOptions.ttlMs: Milliseconds for which a tenant is cached. @default 60_000
TenantModule.forRoot({ strategy: 'header', cache: { ttlMs: 5_000 } });
// OperationLimits.depth: Maximum depth of nested fields @default 30
GraphqlMountModule.forRoot({ typeDefs: 'type Query { me: ID }', limits: { depth: 5 } });
// PanelOptions.name: Title of the page. @default the name of the MCP server
PanelModule.forRoot({ name: 'Shop' });
// QueryOptions.maxLimit: Largest @default 100
QueryModule.forRoot({ maxLimit: 50 });
// QueryLimits.maxSort: Allowed sort items of one query. @default 10
QueryModule.forRoot({ limits: { maxSort: 1 } });
// PaginatedOptions.total: How the list counts its rows @default 'exact'
export class Lists { @Paginated(Date, { total: 'none' }) list() {} }
// ContextModuleOptions.contributors: Context decorators for every route @default none
ContextModule.forRoot({ contributors: [] });
`;

const OPTION = /^\/\/ (\w+)\.(\w+): (.*) @default (.*)\n(.*\b\2(?=: ))/gm;
const OPTIONS = [...APPLICATION.matchAll(OPTION)].map((match) => {
  const [before, type, option, comment, value] = match;
  return { type, option, comment, value, at: match.index + before.length - 1 };
});
/** Types of internal/options, which are not published. */
const INTERNAL = /\b(?:OptionTable|ReadOptions|Rule|Place)\b/;
const SETTINGS = { module: ts.ModuleKind.NodeNext, strict: true, experimentalDecorators: true };

let application: string;
let misspelled: string;
let service: ts.LanguageService;
beforeAll(() => {
  const { folder } = consumer('all');
  application = join(folder, 'application.ts');
  misspelled = join(folder, 'misspelled.ts');
  const files: Readonly<Record<string, string>> = {
    [application]: APPLICATION,
    [misspelled]: APPLICATION.replace(OPTION, (text) => text + text.at(-1)),
  };
  service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...SETTINGS, types: ['node'] }),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => Object.keys(files),
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) =>
      ts.ScriptSnapshot.fromString(files[path] ?? readFileSync(path, 'utf8')),
  });
});

it('an application without misspelled options has no errors', () => {
  expect(messagesOf(application)).toEqual([]);
});

describe.each(OPTIONS)('$option of $type', ({ type, option, comment, value, at }) => {
  it('has its comment and its default in the hover', () => {
    const hover = service.getQuickInfoAtPosition(application, at);
    const byDefault = hover?.tags?.find(({ name }) => name === 'default');
    const shown = ts.displayPartsToString(hover?.documentation);
    expect(shown.slice(0, comment?.length)).toBe(comment);
    expect(ts.displayPartsToString(byDefault?.text)).toBe(value);
    expect(ts.displayPartsToString(hover?.displayParts)).not.toMatch(INTERNAL);
  });

  it('is found in an interface of the package', () => {
    const definitions = service.getDefinitionAtPosition(application, at) ?? [];
    expect(definitions.map(interfaceOf)).toEqual([type]);
  });

  it('is suggested for a misspelled name', () => {
    const line = APPLICATION.slice(0, at).split('\n').length;
    const errors = messagesOf(misspelled).filter((error) => error.startsWith(`${line}: `));
    expect(errors).toEqual([expect.stringContaining(`Did you mean to write '${option}'?`)]);
    expect(errors.join()).not.toMatch(INTERNAL);
  });
});

function interfaceOf({ fileName, textSpan }: ts.DefinitionInfo): string | undefined {
  expect(fileName).toMatch(/\/node_modules\/@fledge\/.*\.d\.ts$/);
  const { statements } = service.getProgram()!.getSourceFile(fileName)!;
  const declared = statements.find(({ end }) => end > textSpan.start);
  return declared && ts.isInterfaceDeclaration(declared) ? declared.name.text : undefined;
}

/** The errors in a file, each after the number of its line. */
function messagesOf(path: string): string[] {
  return service.getSemanticDiagnostics(path).map(({ file, start, messageText }) => {
    const { line } = file!.getLineAndCharacterOfPosition(start!);
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

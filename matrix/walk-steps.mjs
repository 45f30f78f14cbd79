// What a newcomer types and writes: in a new application the section "Get started" of the root README, and in an existing
// application the steps below. The README states both.
import assert from 'node:assert/strict';

/** Reads "Get started". Throws if the section has another form. */
export function startOf(readme) {
  const [, section] = /^## Get started\n([\s\S]*?)^## /m.exec(readme);
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)];
  assert.deepEqual(
    blocks.map(([, language]) => language),
    ['sh', 'ts', 'sh', 'text'],
  );
  const [setup, program, use, answer] = blocks.map(([, , text]) => text);
  const [create, enter, install] = commandsIn(setup);
  const [start, call] = commandsIn(use);
  const [, file] = /[Rr]eplace the content of `([^`]+)`/.exec(section);
  return { create, folder: enter.replace(/^cd /, ''), install, file, program, start, call, answer };
}

const commandsIn = (text) => text.split('\n').map((line) => line.replace(/\s+#.*$/, ''));

/** How many lines are pasted. Empty ones do not count. */
export const linesOfProgram = ({ program }) =>
  program.split('\n').filter((line) => line.trim() !== '').length;

/**
 * A step is a command, or lines written by hand into a file.
 * - `lines` come `before` a line of the file, or `instead` of some. `printed` is what `nest add` printed for them.
 */
export const EXISTING = {
  packages: ['typeorm@0.3', '@nestjs/typeorm@11', '@nestjs/jwt@11', 'sql.js@1'],
  steps: [
    { command: 'npx nest add @fledge/mcp' },
    { command: 'npx nest add @fledge/query' },
    { command: 'npx nest add @fledge/tenant' },
    {
      file: 'src/app.module.ts',
      instead: ['TenantModule.forRoot('],
      lines: [
        `    TenantModule.forRoot({`,
        `      strategy: 'header',`,
        `      verify: { principal: (req) => (req.user as { company: string } | undefined)?.company, required: true },`,
        `    }),`,
      ],
      printed: 'principal: (req) => (req.user as { tenantId: string } | undefined)?.tenantId',
    },
    {
      file: 'src/auth/auth.controller.ts',
      before: '@Controller(',
      lines: [`import { CentralRoute } from '@fledge/tenant';`],
      printed: `import { CentralRoute } from '@fledge/tenant';`,
    },
    {
      file: 'src/auth/auth.controller.ts',
      before: '  @Post(',
      lines: ['  @CentralRoute()'],
      printed: '@CentralRoute()',
    },
    {
      file: 'src/tasks/tasks.controller.ts',
      before: '@Controller(',
      lines: [
        `import { McpTool } from '@fledge/mcp';`,
        `import type { ParsedQuery } from '@fledge/query';`,
        `import { Paginate, type Paginator, Qs } from '@fledge/query/nest';`,
        `import { typeOrmAdapter } from '@fledge/query/typeorm';`,
        `import { CurrentTenant, type TenantContext } from '@fledge/tenant';`,
        `const TASKS = { filterable: ['title', 'status'], sortable: ['id'] } as const;`,
      ],
      printed: `import { typeOrmAdapter } from '@fledge/query/typeorm';`,
    },
    {
      file: 'src/tasks/tasks.controller.ts',
      instead: ['  @Get()', '  list() {', '    return this.tasks.find('],
      lines: [
        `  @Get()`,
        `  @McpTool({ name: 'list_tasks', description: 'Lists the tasks of the company' })`,
        `  async list(@Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator, @CurrentTenant() tenant: TenantContext) {`,
        `    const rows = this.tasks.createQueryBuilder('task').where('task.company = :tenantId', tenant);`,
        `    const [data, total] = await typeOrmAdapter(this.tasks).build(query, TASKS).applyTo(rows).getManyAndCount();`,
        `    return paginate({ data, total });`,
      ],
      printed: '.build(query, TASKS).applyTo(rows).getManyAndCount();',
    },
    { command: 'npm run build' },
  ],
  headers: loginOf,
  call: {
    name: 'list_tasks',
    arguments: { filter: ['status:eq:open'] },
    answer: /^{"data":\[{"id":1,"company":"acme","title":"Write the offer","status":"open"}\],/,
  },
};

/** Lines written by hand: those of the file that stay as they are do not count. */
export const linesOf = ({ steps }) =>
  steps.flatMap(({ lines = [], instead = [] }) => lines.filter((line) => !instead.includes(line)));

async function loginOf(url) {
  const response = await fetch(new URL('/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ada' }),
  });
  const { token } = await response.json();
  return { authorization: `Bearer ${token}`, 'x-tenant-id': 'acme' };
}

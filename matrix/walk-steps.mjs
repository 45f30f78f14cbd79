// The two walks of a newcomer: what is typed, and the lines that are written by hand. The root README states both.

/** The Inspector that is called. It needs Node.js 22.19. */
export const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

/**
 * A step is a command, or lines written by hand into a file.
 * - `answers` are given to the questions of `nest new`, as flags.
 * - `lines` come `before` a line of the file, or `instead` of some. `printed` is what `nest add` printed for them.
 */
export const WALKS = [
  {
    name: 'walk-new',
    steps: [
      {
        command: 'npx @nestjs/cli new tasks',
        answers: ['--package-manager', 'npm', '--skip-git', '--no-observe'],
      },
      { command: 'npx nest add @fledge/mcp' },
      {
        file: 'src/app.controller.ts',
        before: '@Controller()',
        lines: [`import { McpTool } from '@fledge/mcp';`],
        printed: `import { McpTool } from '@fledge/mcp';`,
      },
      {
        file: 'src/app.controller.ts',
        before: '  @Get()',
        lines: [`  @McpTool({ description: 'Says hello' })`],
        printed: '@McpTool({ description:',
      },
      { command: 'npm run build' },
    ],
    headers: () => ({}),
    call: { name: 'AppController.getHello', arguments: {}, answer: /^Hello World!$/ },
  },
  {
    name: 'walk-existing',
    existing: ['typeorm@0.3', '@nestjs/typeorm@11', '@nestjs/jwt@11', 'sql.js@1'],
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
          `      verify: { principal: (req) => (req.user as { company: string } | undefined)?.company },`,
          `    }),`,
        ],
        printed:
          'verify: { principal: (req) => (req.user as { tenantId: string } | undefined)?.tenantId }',
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
          `  @McpTool({ description: 'Lists the tasks of the company' })`,
          `  async list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator, @CurrentTenant() tenant: TenantContext) {`,
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
      name: 'TasksController.list',
      arguments: { filter: ['status:eq:open'] },
      answer: /^{"data":\[{"id":1,"company":"acme","title":"Write the offer","status":"open"}\],/,
    },
  },
];

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

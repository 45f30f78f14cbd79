import { McpTool } from '@fledge/mcp';
import { TenantLifecycle } from '@fledge/tenant/lifecycle';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
} from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { ForOperators } from '../operators/for-operators.decorator.js';
import { FIRST_USER, UsersService } from '../users/users.service.js';
import { CompaniesService } from './companies.service.js';
import { Company, CreateCompanyDto, UserOfCompany } from './company.js';

const CompanyId = ApiParam({
  name: 'id',
  description: 'Id of the company, as companies_list returns it.',
});

/** The routes with which operators manage companies. Their tools are on a separate MCP endpoint. */
@ForOperators()
@ApiTags('companies')
@Controller('companies')
export class CompaniesController {
  constructor(
    private readonly companies: CompaniesService,
    private readonly lifecycle: TenantLifecycle,
    private readonly users: UsersService,
  ) {}

  @Get()
  @ApiOkResponse({ type: [Company] })
  @McpTool({ name: 'companies_list', description: 'Lists the companies with their status.' })
  list(): Promise<Company[]> {
    return this.companies.all();
  }

  @Post()
  @McpTool({
    name: 'companies_create',
    description: `Creates a company with a first user, ${FIRST_USER.id}. It is served at once. Returns the company.`,
  })
  async create(@Body() { id, name }: CreateCompanyDto): Promise<Company> {
    await this.lifecycle.create({ tenantId: id, data: { name } });
    return this.get(id);
  }

  /** Not a tool, because agents must not see tokens. */
  @Post(':id/users/:user/tokens')
  async issueToken(@Param() { id, user }: UserOfCompany): Promise<{ readonly token: string }> {
    await this.get(id);
    return { token: await this.users.issueToken(id, user) };
  }

  @Post(':id/suspend')
  @CompanyId
  @HttpCode(200)
  @McpTool({
    name: 'companies_suspend',
    description:
      'Suspends a company: its requests get 403 until companies_activate. Keeps its data.',
    annotations: { idempotentHint: true },
  })
  async suspend(@Param('id') id: string): Promise<Company> {
    await this.lifecycle.setStatus(id, 'suspended');
    return this.get(id);
  }

  @Post(':id/activate')
  @CompanyId
  @HttpCode(200)
  @McpTool({
    name: 'companies_activate',
    description: 'Serves a suspended company again.',
    annotations: { idempotentHint: true },
  })
  async activate(@Param('id') id: string): Promise<Company> {
    await this.lifecycle.setStatus(id, 'active');
    return this.get(id);
  }

  @Delete(':id')
  @CompanyId
  @HttpCode(204)
  @McpTool({
    name: 'companies_remove',
    description:
      'Removes a company with all its data for good, after the user has agreed. To keep its data, use ' +
      'companies_suspend.',
    confirm: 'Remove the company {id} with all its users and tasks for good?',
  })
  async remove(@Param('id') id: string): Promise<void> {
    await this.get(id);
    await this.lifecycle.remove(id);
  }

  /** @throws NotFoundException */
  private async get(id: string): Promise<Company> {
    const company = (await this.companies.all()).find((known) => known.id === id);
    if (company === undefined) throw new NotFoundException(`There is no company ${id}`);
    return company;
  }
}

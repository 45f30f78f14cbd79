import type { ParsedQuery } from '@fledge/query';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { TENANT_CONTEXT, type TenantContext } from '@fledge/tenant';
import { Inject, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { PubSub } from 'graphql-subscriptions';
import { filter, Subject } from 'rxjs';
import { Repository } from 'typeorm';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';

export const TASKS = {
  filterable: ['title', 'priority'],
  sortable: ['title', 'priority'],
  searchable: ['title'],
} as const;

const TITLES = ['Write the offer', 'Send the bill', 'Water the garden'];

@Injectable()
export class TasksService implements OnModuleInit {
  readonly pubSub = new PubSub();
  private readonly added = new Subject<Task>();

  constructor(
    @InjectRepository(Task) private readonly tasks: Repository<Task>,
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
  ) {}

  async onModuleInit() {
    const rows = TITLES.flatMap((title, i) => [
      { tenant: 'acme', title, priority: i + 1 },
      { tenant: 'globex', title, priority: 3 - i },
    ]);
    await this.tasks.insert(rows);
  }

  page(query: ParsedQuery<typeof TASKS>) {
    return typeOrmAdapter(this.tasks).build(query, TASKS).applyTo(this.rows()).getManyAndCount();
  }

  list() {
    return this.rows().orderBy('task.title', 'DESC').getMany();
  }

  async find(id: string) {
    const task = await this.tasks.findOneBy({ id, tenant: this.tenant.tenantId });
    if (!task) throw new NotFoundException(`There is no task ${id}.`);
    return task;
  }

  async add(dto: CreateTaskDto) {
    const { identifiers } = await this.tasks.insert({ ...dto, tenant: this.tenant.tenantId });
    const task = await this.find((identifiers[0] as { id: string }).id);
    this.added.next(task);
    await this.pubSub.publish('added', { added: task });
    return task;
  }

  async change(id: string, dto: UpdateTaskDto) {
    await this.find(id);
    await this.tasks.update({ id, tenant: this.tenant.tenantId }, dto);
    return this.find(id);
  }

  /** Those of the tenant that subscribes. */
  additions() {
    return this.added.pipe(filter(({ tenant }) => tenant === this.tenant.tenantId));
  }

  /** Ends the streams of `additions()`. */
  end() {
    this.added.complete();
  }

  private rows() {
    const { tenantId } = this.tenant;
    return this.tasks.createQueryBuilder('task').where('task.tenant = :tenantId', { tenantId });
  }
}

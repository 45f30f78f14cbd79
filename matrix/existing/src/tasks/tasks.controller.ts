import { Controller, Get, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Task } from './task.entity.js';

@Controller('tasks')
export class TasksController implements OnModuleInit {
  constructor(@InjectRepository(Task) private readonly tasks: Repository<Task>) {}

  async onModuleInit() {
    await this.tasks.save([
      { company: 'acme', title: 'Write the offer' },
      { company: 'acme', title: 'Send the bill', status: 'done' },
      { company: 'globex', title: 'Water the garden' },
    ]);
  }

  @Get()
  list() {
    return this.tasks.find({ order: { id: 'ASC' } });
  }
}

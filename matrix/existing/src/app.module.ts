import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthController } from './auth/auth.controller.js';
import { JwtGuard } from './auth/jwt.guard.js';
import { Task } from './tasks/task.entity.js';
import { TasksController } from './tasks/tasks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [Task], synchronize: true }),
    TypeOrmModule.forFeature([Task]),
    JwtModule.register({ global: true, secret: 'made-up', signOptions: { expiresIn: '1h' } }),
  ],
  controllers: [AuthController, TasksController],
  providers: [{ provide: APP_GUARD, useClass: JwtGuard }],
})
export class AppModule {}

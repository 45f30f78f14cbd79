import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';

const common = [AppService];
const commonImports: never[] = [];

// One module for each kind of process.
@Module({ imports: [...commonImports], controllers: [AppController], providers: [...common] })
export class AppModule {}

@Module({ imports: [...commonImports], providers: [...common] })
export class WorkerModule {}

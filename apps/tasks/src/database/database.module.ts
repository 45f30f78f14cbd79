import { Global, Module } from '@nestjs/common';
import { readSettings } from '../settings.js';
import { Database } from './database.js';

@Global()
@Module({
  providers: [
    { provide: Database, useFactory: () => Database.open(readSettings(process.env).dataFolder) },
  ],
  exports: [Database],
})
export class DatabaseModule {}

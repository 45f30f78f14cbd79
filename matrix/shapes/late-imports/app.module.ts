import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { SettingsModule } from './settings.module.js';

// A module that is made before the list of imports.
const storageModule = SettingsModule.forRootAsync({
  imports: [],
  useFactory: (folder = 'uploads') => {
    return { load: [() => ({ folder })] };
  },
});

import { AppService } from './app.service.js';

@Module({
  imports: [
    SettingsModule.forRoot({
      isGlobal: true,
      load: [
        () => ({ port: 3000 }),
        // from the environment
        () => ({ env: process.env.NODE_ENV }),
      ],
    }),
    storageModule,
    SettingsModule.forRootAsync({
      imports: [storageModule],
      useFactory: () => ({
        load: [() => ({ languages: ['en', 'de'] })],
      }),
    }),
  ],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}

import { type DynamicModule, Module } from '@nestjs/common';

export interface SettingsOptions {
  isGlobal?: boolean;
  load: (() => object)[];
}

@Module({})
export class SettingsModule {
  static forRoot({ isGlobal = false, load }: SettingsOptions): DynamicModule {
    const providers = [{ provide: 'SETTINGS', useFactory: () => load.map((each) => each()) }];
    return { module: SettingsModule, global: isGlobal, providers, exports: ['SETTINGS'] };
  }

  static forRootAsync(options: {
    imports: DynamicModule['imports'];
    useFactory: (...args: string[]) => SettingsOptions;
  }): DynamicModule {
    return { ...SettingsModule.forRoot(options.useFactory()), imports: options.imports };
  }
}

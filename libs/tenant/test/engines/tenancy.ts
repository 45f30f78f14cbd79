import { Tenancy, TenantModule } from '@fledge/tenant';
import { Module } from '@nestjs/common';
import { createApp, platforms } from '../../../../test/support/platforms.js';

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })] })
class AppModule {}

/** The `Tenancy` of an application that does not listen, closed by `closeAll()`. */
export async function startTenancy(): Promise<Tenancy> {
  const [platform] = platforms as [(typeof platforms)[number]];
  const app = await createApp(AppModule, platform.adapter());
  await app.init();
  return app.get(Tenancy);
}

import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ContextModule } from '../context.module.js';
import { AdapterLifecycle } from './adapter.lifecycle.js';
import { Container } from './container.js';

/** The providers that all adapters and plugins of an application share. */
@Module({
  imports: [DiscoveryModule, ContextModule],
  providers: [AdapterLifecycle, Container],
  exports: [AdapterLifecycle, Container],
})
export class AdapterHostModule {}

// An application that has a decorator of this package, but does not import its module.
import 'reflect-metadata';
import { CentralRoute } from '@fledge/tenant';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

class HealthController {
  read() {
    return 'ok';
  }
}
const { prototype } = HealthController;
const read = Object.getOwnPropertyDescriptor(prototype, 'read');
for (const decorate of [Get(), CentralRoute()]) decorate(prototype, 'read', read);
Controller('health')(HealthController);

class AppModule {}
Module({ controllers: [HealthController] })(AppModule);

const app = await NestFactory.create(AppModule);
await app.listen(0, '127.0.0.1');

import { Catch, Controller, Module, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  BaseRpcExceptionFilter,
  type ClientOptions,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import type { AddressInfo, Server } from 'node:net';
import { concatMap, of, timer } from 'rxjs';

/** A microservice that listens, and what a client needs to reach it. */
export interface Microservice {
  readonly service: INestMicroservice;
  readonly client: ClientOptions;
}

/** Answers what it is sent, later, so that the answers of several requests interleave. */
@Controller()
class EchoController {
  @MessagePattern('echo')
  async echo(@Payload() value: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    return value;
  }

  @MessagePattern('ticks')
  ticks(@Payload() count: number) {
    return of(...Array.from({ length: count }, (_, i) => i)).pipe(
      concatMap((i) => timer(Math.random() * 4).pipe(concatMap(() => of(i)))),
    );
  }

  @MessagePattern('fail')
  async fail(): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    throw new RpcException('No');
  }

  @MessagePattern('silence')
  silence(): Promise<never> {
    return new Promise(() => undefined);
  }
}

@Catch()
class Filter extends BaseRpcExceptionFilter {}

@Module({ controllers: [EchoController] })
class EchoModule {}

async function listen(options: MicroserviceOptions): Promise<INestMicroservice> {
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
    ...options,
    logger: false,
  });
  service.useGlobalFilters(new Filter());
  await service.listen();
  return service;
}

/** By name, for `describe.each(Object.entries(transports))`. */
export const transports: Readonly<Record<string, () => Promise<Microservice>>> = {
  TCP: async () => {
    const host = '127.0.0.1';
    const service = await listen({ transport: Transport.TCP, options: { host, port: 0 } });
    const { port } = service.unwrap<Server>().address() as AddressInfo;
    return { service, client: { transport: Transport.TCP, options: { host, port } } };
  },
  Redis: async () => {
    const { hostname, port, pathname } = new URL(
      process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    );
    const options = { host: hostname, port: Number(port), db: Number(pathname.slice(1) || 0) };
    const service = await listen({ transport: Transport.REDIS, options });
    return { service, client: { transport: Transport.REDIS, options } };
  },
};

// The tenant of commands, events and sagas of @nestjs/cqrs.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  CommandBus,
  CommandHandler,
  CqrsModule,
  EventBus,
  EventsHandler,
  type ICommand,
  type ICommandHandler,
  type IEvent,
  type IEventHandler,
  ofType,
  QueryBus,
  QueryHandler,
  Saga,
} from '@nestjs/cqrs';
import { bufferCount, delay, ignoreElements, map, mergeMap, type Observable } from 'rxjs';
import { until } from '../../../test/support/until.js';

let seen: string[] = [];

class Place {
  constructor(readonly id: number) {}
}
class Placed {
  constructor(
    readonly id: number,
    readonly metadata: Record<string, string>,
  ) {}
}
class Remind {
  constructor(
    readonly by: string,
    readonly ids: readonly number[],
  ) {}
}
class Whose {}

@CommandHandler(Place)
class PlaceHandler implements ICommandHandler<Place> {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly events: EventBus,
  ) {}

  async execute({ id }: Place): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    seen.push(`command ${id} ${this.tenancy.current().tenantId}`);
    await this.events.publish(new Placed(id, this.tenancy.metadata()));
  }
}

@EventsHandler(Placed)
class PlacedHandler implements IEventHandler<Placed> {
  constructor(private readonly tenancy: Tenancy) {}

  handle({ id }: Placed): void {
    seen.push(`event ${id} ${this.tenancy.current().tenantId}`);
  }
}

@CommandHandler(Remind)
class RemindHandler implements ICommandHandler<Remind> {
  constructor(private readonly tenancy: Tenancy) {}

  execute({ by, ids }: Remind): Promise<void> {
    seen.push(`${by} ${ids.join('+')} ${this.tenancy.currentOrNull()?.tenantId}`);
    return Promise.resolve();
  }
}

@QueryHandler(Whose)
class WhoseHandler {
  constructor(private readonly tenancy: Tenancy) {}

  execute(): Promise<string> {
    return Promise.resolve(this.tenancy.current().tenantId);
  }
}

@Injectable()
class Sagas {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly commands: CommandBus,
  ) {}

  @Saga()
  delayed = (events: Observable<IEvent>): Observable<ICommand> =>
    events.pipe(
      ofType(Placed),
      delay(5),
      map(({ id }) => new Remind('delayed', [id])),
    );

  @Saga()
  buffered = (events: Observable<IEvent>): Observable<ICommand> =>
    events.pipe(
      ofType(Placed),
      bufferCount(4),
      map(
        (placed) =>
          new Remind(
            'buffered',
            placed.map(({ id }) => id),
          ),
      ),
    );

  /** As docs/microservices.md has it. */
  @Saga()
  split = (events: Observable<IEvent>): Observable<ICommand> =>
    events.pipe(
      ofType(Placed),
      bufferCount(4),
      mergeMap((placed) => byTenant(placed)),
      mergeMap(([placed, metadata]) => {
        const remind = new Remind(
          'split',
          placed.map(({ id }) => id),
        );
        return this.tenancy.runFrom(metadata, () => this.commands.execute(remind));
      }),
      ignoreElements(),
    );
}

function byTenant(events: readonly Placed[]): [Placed[], Record<string, string>][] {
  const ids = new Set(events.map(({ metadata }) => metadata['fledge-tenant-id']));
  return [...ids].map((id) => {
    const own = events.filter(({ metadata }) => metadata['fledge-tenant-id'] === id);
    return [own, own[0]!.metadata];
  });
}

@Module({
  imports: [TenantModule.forRoot({ strategy: 'header' }), CqrsModule.forRoot()],
  providers: [PlaceHandler, PlacedHandler, RemindHandler, WhoseHandler, Sagas],
})
class AppModule {}

let app: INestApplicationContext;
let tenancy: Tenancy;
beforeAll(async () => {
  app = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
    abortOnError: false,
  });
  await app.init();
  tenancy = app.get(Tenancy);
});
beforeEach(() => {
  seen = [];
});
afterAll(() => app.close());

const linesOf = (name: string) => seen.filter((line) => line.startsWith(`${name} `)).toSorted();

it("is the sender's in commands, queries, events and delaying sagas; a buffering saga splits by tenant", async () => {
  const commands = app.get(CommandBus);
  const placed = ['a', 'b', 'a', 'b'].map((id, i) =>
    tenancy.run(id, () => commands.execute(new Place(i))),
  );
  await Promise.all(placed);
  await until(() => linesOf('delayed').length === 4 && linesOf('split').length === 2, 'the sagas');

  const expected = ['0 a', '1 b', '2 a', '3 b'];
  for (const name of ['command', 'event', 'delayed']) {
    expect(linesOf(name)).toEqual(expected.map((line) => `${name} ${line}`));
  }
  // What the page warns of: one command for the orders of both, in the tenant of the last event.
  expect(linesOf('buffered')).toHaveLength(1);
  const split = linesOf('split').map((line) =>
    line.replace(/(\d)\+(\d)/, (_, x: string, y: string) => [x, y].toSorted().join('+')),
  );
  expect(split.toSorted()).toEqual(['split 0+2 a', 'split 1+3 b']);
  expect(await tenancy.run('b', () => app.get(QueryBus).execute(new Whose()))).toBe('b');
});

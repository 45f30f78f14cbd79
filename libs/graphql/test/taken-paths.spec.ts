// Something else at the path of a mount would never be reached. The application is warned.
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Logger, type ModuleMetadata, Post } from '@nestjs/common';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

@Resolver()
class Hello {
  @Query(() => String)
  hello(): string {
    return 'world';
  }
}

// The middleware of both platforms ignores case.
@Controller('GraphQL')
class OldController {
  @Post()
  run(): string {
    return 'old';
  }
}

const mount = (path?: string) =>
  GraphqlMountModule.forRoot({ typeDefs: 'type Query { hello: String }', ...(path && { path }) });
const nest = () =>
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    autoSchemaFile: true,
  });

describe.each(platforms)('the path of a mount on $name', (platform) => {
  const warningsOf = async (metadata: ModuleMetadata, prefix?: string) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await serve(metadata, platform, (app) => {
      if (prefix !== undefined) app.setGlobalPrefix(prefix);
    });
    return warn.mock.calls.map(([text]) => String(text));
  };

  it('is reported if GraphQLModule or a route has it too', async () => {
    expect(await warningsOf({ imports: [mount(), nest()], providers: [Hello] })).toEqual([
      expect.stringMatching(
        /^GraphqlAdapter and GraphQLModule of @nestjs\/graphql have the path \/graphql, /,
      ),
    ]);
    jest.restoreAllMocks();
    expect(await warningsOf({ imports: [mount()], controllers: [OldController] }, 'api')).toEqual([
      expect.stringMatching(
        /^GraphqlAdapter and OldController\.run have the path \/api\/graphql, /,
      ),
    ]);
  });

  it('is not reported if they have others', async () => {
    expect(
      await warningsOf({
        imports: [mount('/mine'), nest()],
        providers: [Hello],
      }),
    ).toEqual([]);
    expect(await warningsOf({ imports: [mount('/mine')], controllers: [OldController] })).toEqual(
      [],
    );
  });
});

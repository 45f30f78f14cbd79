import {
  GraphqlSubscriptionsAdapter,
  GraphqlSubscriptionsModule,
  type GraphqlSubscriptionsOptions,
} from '@fledge/graphql';
import type { Provider } from '@nestjs/common';
import { type Platform, serve } from '../../../../test/support/platforms.js';
import { feed, TenantsModule } from './feed.js';

/** A listening application with the subscriptions of `feed()` at /graphql. */
export async function serveFeed(
  platform: Platform,
  options: Partial<GraphqlSubscriptionsOptions> = {},
  providers: readonly Provider[] = [],
) {
  const source = feed();
  const { app, url } = await serve(
    {
      imports: [
        TenantsModule,
        GraphqlSubscriptionsModule.forRoot({ schema: source.schema, ...options }),
      ],
      providers: [...providers],
    },
    platform,
  );
  return { ...source, app, url: `${url}/graphql`, adapter: app.get(GraphqlSubscriptionsAdapter) };
}

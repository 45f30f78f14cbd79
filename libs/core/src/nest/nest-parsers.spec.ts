import { expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { json } from 'express';
import { layersOf, runsHooks } from './express-layers.js';
import { isNestParser, rememberParsers } from './nest-parsers.js';

it('tells the body parsers that Nest adds from those of the application', () => {
  const adapter = new ExpressAdapter();
  adapter.initHttpServer({});
  rememberParsers(adapter);
  adapter.use(json());
  adapter.registerParserMiddleware('', false);
  const layers = layersOf(adapter).filter((layer) => !runsHooks(layer));
  expect(layers.map(({ handle }) => [handle.name, isNestParser(handle)])).toEqual([
    ['jsonParser', false],
    ['urlencodedParser', true],
  ]);
});

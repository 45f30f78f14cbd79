import { Injectable } from '@nestjs/common';
import { getOperationAST } from 'graphql';
import type { ServerResponse } from 'node:http';
import { OperationCounts } from '../operation/operation-counts.js';
import { type Mercurius, operationNameIn } from './mercurius-hooks.js';

/** Counts the operations of Mercurius over HTTP. */
@Injectable()
export class MercuriusCounts {
  /** Contexts of requests whose operation has not reached execution. */
  private readonly waiting = new WeakSet<object>();

  constructor(private readonly counts: OperationCounts) {}

  /** Counts a request as an error if it is answered before its operation is executed. */
  follow(context: object, response: ServerResponse): void {
    this.waiting.add(context);
    response.once('finish', () => {
      if (this.waiting.has(context)) this.counts.failed();
    });
  }

  /** Counts operations that are executed. Call it once, before requests arrive. */
  count(mercurius: Mercurius): void {
    mercurius.addHook('preExecution', (_schema, document, context) => {
      this.waiting.delete(context);
      const operation = getOperationAST(document, operationNameIn(context));
      if (operation) this.counts.started(operation.operation);
      return Promise.resolve();
    });
    mercurius.addHook('onResolution', ({ errors }) => {
      if (errors !== undefined && errors.length > 0) this.counts.failed();
      return Promise.resolve();
    });
  }
}

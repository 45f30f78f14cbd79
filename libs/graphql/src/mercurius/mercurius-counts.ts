import { Injectable } from '@nestjs/common';
import { getOperationAST } from 'graphql';
import type { ServerResponse } from 'node:http';
import { OperationCounts } from '../operation/operation-counts.js';
import {
  aroundOperations,
  type MercuriusContext,
  type MercuriusInstance,
  operationNameIn,
} from './mercurius-hooks.js';

/** Counts the operations of Mercurius over HTTP. */
@Injectable()
export class MercuriusCounts {
  /** Requests by their contexts, with the number of their operations that came to Mercurius. */
  private readonly requests = new WeakMap<object, { arrived: number }>();

  constructor(private readonly counts: OperationCounts) {}

  /** Counts operations of a request as errors that it did not come to, such as those of malformed JSON. */
  follow(context: object, response: ServerResponse): void {
    const request = { arrived: 0 };
    this.requests.set(context, request);
    response.once('finish', () => {
      const { operationsCount = 1 } = context as MercuriusContext;
      for (let missing = operationsCount - request.arrived; missing > 0; missing -= 1) {
        this.counts.failed();
      }
    });
  }

  /** Counts operations that are executed or refused. Call it once, before requests arrive. */
  count(instance: MercuriusInstance): void {
    instance.graphql.addHook('preExecution', (_schema, document, context) => {
      const operation = getOperationAST(document, operationNameIn(context));
      if (operation) this.counts.started(operation.operation);
      return Promise.resolve();
    });
    aroundOperations(instance, async (context, run) => {
      this.arrived(context);
      try {
        const result = await run();
        if (result.errors !== undefined && result.errors.length > 0) this.counts.failed();
        return result;
      } catch (error) {
        this.counts.failed();
        throw error;
      }
    });
  }

  private arrived(context: object): void {
    // The context of an operation in a batch inherits from that of its request.
    const request =
      this.requests.get(context) ?? this.requests.get(Object.getPrototypeOf(context) as object);
    if (request !== undefined) request.arrived += 1;
  }
}

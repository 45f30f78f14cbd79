import { Injectable } from '@nestjs/common';
import { type DocumentNode, getOperationAST } from 'graphql';
import type { ServerResponse } from 'node:http';
import { OperationCounts } from '../operation/operation-counts.js';

/** The members of Mercurius that are used here. Its own types would be needed by applications without it. */
export interface Mercurius {
  addHook(name: 'preExecution', hook: PreExecution): void;
  addHook(name: 'onResolution', hook: OnResolution): void;
}

type PreExecution = (
  schema: object,
  document: DocumentNode,
  context: MercuriusContext,
) => Promise<void>;
type OnResolution = (
  execution: { readonly errors?: readonly unknown[] },
  context: MercuriusContext,
) => Promise<void>;

/** The context of an operation. Mercurius adds the reply to what the context function returns. */
interface MercuriusContext {
  readonly reply?: { readonly request: { readonly body?: unknown } };
}

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

function operationNameIn({ reply }: MercuriusContext): string | undefined {
  const { operationName } = (reply?.request.body ?? {}) as { readonly operationName?: unknown };
  return typeof operationName === 'string' ? operationName : undefined;
}

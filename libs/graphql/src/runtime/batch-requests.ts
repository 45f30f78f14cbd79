import { BadRequestException } from '@nestjs/common';
import type { Response } from 'graphql-http';
import type { ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { ParsedRequest } from './prepare.js';
import type { GraphqlRuntimeDeps } from './runtime.js';

/** The answer to one operation, and whether it has errors. */
export interface Answer {
  readonly response: Response;
  readonly failed: boolean;
}

/** Answers one operation, as if the request had only this body. */
type AnswerOne = (req: ParsedRequest, res: ServerResponse, body: unknown) => Promise<Answer>;

const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

/** Returns the operations of a batch: an array in the body of a POST. Undefined for other requests. */
export function batchIn({ method, body }: ParsedRequest): readonly unknown[] | undefined {
  return method === 'POST' && Array.isArray(body) ? body : undefined;
}

/**
 * Returns a function that answers a batch with an array of results, in the order of its operations. They run at
 * the same time, and one that fails leaves the others as they are.
 * @throws BadRequestException for an empty batch, and for one with too many operations
 */
export function batcher(
  { counts, protection }: GraphqlRuntimeDeps,
  limit: number,
  answerOne: AnswerOne,
) {
  return async (req: ParsedRequest, res: ServerResponse, batch: readonly unknown[]) => {
    if (batch.length === 0) throw new BadRequestException('A batch needs at least one operation');
    if (batch.length > limit) {
      throw new BadRequestException(
        `A batch may have ${limit} operations, and this one has ${batch.length}`,
      );
    }
    const answers = await Promise.all(batch.map(answer));
    const refused = answers.find(({ response: [body] }) => body === null);
    if (refused !== undefined) {
      // By the headers of the request, before any operation was read: counted as one error.
      counts.failed();
      return send(res, refused.response);
    }
    for (const { failed } of answers) if (failed) counts.failed();
    const isResponseType = answers.some(
      ({ response: [, init] }) => init.headers?.['content-type'] === RESPONSE_TYPE,
    );
    const type = isResponseType ? RESPONSE_TYPE : 'application/json; charset=utf-8';
    const body = `[${answers.map(({ response }) => response[0]).join()}]`;
    return send(res, [body, { status: 200, statusText: 'OK', headers: { 'content-type': type } }]);

    async function answer(operation: unknown): Promise<Answer> {
      try {
        // graphql-http would parse a text, and execute it.
        return await answerOne(req, res, typeof operation === 'object' ? operation : null);
      } catch (error) {
        const body = JSON.stringify({ errors: [protection.format(asGraphqlError(error))] });
        return { response: [body, { status: 500, statusText: '' }], failed: true };
      }
    }
  };
}

/** Sends a response of graphql-http. */
export function send(res: ServerResponse, [body, init]: Response): void {
  res.statusCode = init.status;
  res.statusMessage = init.statusText;
  for (const [name, value] of Object.entries(init.headers ?? {})) res.setHeader(name, value);
  res.end(body ?? undefined);
}

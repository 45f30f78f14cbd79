import type { Question } from '../../../call/peer.js';
import type { ClientRequest } from '../../../methods/client-request.js';
import type { JsonObject, JsonRpcResponse, RequestId } from '../../../protocol/json-rpc.js';
import type { Reply } from '../../../protocol/reply.js';
import type { AnswerCheck } from '../../../methods/params-check.js';
import { questionId, questionOf } from './session-share.js';

/** Maximum milliseconds that a user may take to answer. */
const ASK_TIMEOUT_MS = 600_000;

const REQUEST_ENDED = 'The request ended before the client answered';

interface OpenQuestion {
  /** Belongs to the request whose call asks. */
  readonly reply: Reply;
  answered(response: JsonRpcResponse): void;
  /** Cancels the question. Its answer is not needed anymore, or cannot arrive anymore. */
  cancel(reason: string): void;
}

/** The unanswered questions to the client of a session. */
export class Questions {
  private readonly open = new Map<number, OpenQuestion>();
  private asked = 0;
  private ended: string | undefined;

  /** @param process name of this process, for question ids. Undefined if sessions are not shared */
  constructor(
    private readonly answerFault: AnswerCheck,
    private readonly process: string | undefined,
  ) {}

  /** Rejects if the client answers with an error, if the answer is invalid, or if the request ends. */
  ask(
    { method, params }: Question,
    request: Pick<ClientRequest, 'isOver' | 'reply'>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const number = this.asked++;
    const id = this.process === undefined ? number : questionId(this.process, number);
    const send = (message: object) => {
      if (!request.isOver) request.reply.send(message);
    };
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(new Error(this.ended));
      if (signal.aborted) return reject(new Error(String(signal.reason)));
      if (request.isOver) return reject(new Error(REQUEST_ENDED));
      const over = () => {
        this.open.delete(number);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const cancel = (reason: string) => {
        over();
        send({ method: 'notifications/cancelled', params: { requestId: id, reason } });
        reject(new Error(reason));
      };
      const onAbort = () => cancel(String(signal.reason));
      const timer = setTimeout(() => cancel('Request timed out'), ASK_TIMEOUT_MS).unref();
      signal.addEventListener('abort', onAbort);
      this.open.set(number, {
        reply: request.reply,
        cancel,
        answered: ({ result, error }) => {
          over();
          const fault = error ? error.message : this.answerFault(method, result as JsonObject);
          if (fault === undefined) resolve(result);
          else reject(new Error(fault));
        },
      });
      send({ id, method, params });
    });
  }

  /** An answer to an unknown question is ignored. */
  answered(response: JsonRpcResponse): void {
    const number = response.id === undefined ? undefined : this.numberOf(response.id);
    if (number !== undefined) this.open.get(number)?.answered(response);
  }

  /**
   * Rejects the open questions of a request that has ended. Its call may continue, but the client
   * cannot answer anymore.
   */
  endOf(reply: Reply): void {
    for (const question of this.open.values()) {
      if (question.reply === reply) question.cancel(REQUEST_ENDED);
    }
  }

  /** Rejects all open questions. The client cannot be asked anymore. */
  end(reason: string): void {
    this.ended = reason;
    for (const question of [...this.open.values()]) question.cancel(reason);
  }

  private numberOf(id: RequestId): number | undefined {
    if (this.process === undefined) return Number(id);
    const question = questionOf(id);
    return question?.process === this.process ? question.id : undefined;
  }
}

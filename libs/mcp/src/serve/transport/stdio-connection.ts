import { Logger } from '@nestjs/common';
import type { Writable } from 'node:stream';
import type { Caller } from '../call/caller.js';
import type { ClientMessage, RequestId } from '../protocol/json-rpc.js';
import {
  duplicateId,
  INTERNAL_ERROR,
  type Refusal,
  refusalJson,
  SHUTTING_DOWN,
} from '../protocol/refusals.js';
import type { Reply } from '../protocol/reply.js';
import { RunningRequests } from '../protocol/running-requests.js';
import type { Operations } from '../methods/operations.js';
import { cancelledBy } from '../revisions/2025-11-25/session/session-requests.js';
import type { SessionProtocol } from '../revisions/2025-11-25/session/session-methods.js';
import { Session } from '../revisions/2025-11-25/session/session.js';
import { isStatelessMessage } from '../revisions/message-revision.js';
import type { Stateless } from '../revisions/2026-07-28/stateless.js';
import { messageIn } from './stdio-lines.js';
import { StdioReply } from './stdio-reply.js';

interface Setup {
  readonly output: Writable;
  readonly operations: Operations;
  readonly protocol: SessionProtocol;
  readonly stateless: Stateless;
  /** The parent process as the sender of messages. */
  readonly caller: Caller;
}

/**
 * The connection to the parent process. Messages up to MCP 2025-11-25 share one session. The same
 * connection also accepts messages of MCP 2026-07-28.
 */
export class StdioConnection {
  private readonly logger = new Logger('McpModule');
  private readonly session: Session;
  private readonly running = new RunningRequests<RequestId, Reply>();
  private closing = false;

  constructor(private readonly setup: Setup) {
    this.session = new Session({
      principal: 'the parent process',
      client: undefined,
      protocol: setup.protocol,
      share: undefined,
      resume: undefined,
    });
    this.session.streams.listen(new StdioReply(setup.output));
    setup.operations.onChange((list) => {
      // A client of MCP 2026-07-28 does not send `initialize`. It subscribes to notifications.
      if (this.session.client) this.session.listChanged(list);
    });
  }

  receive(line: string): void {
    const sent = messageIn(line);
    if ('status' in sent) return this.refuse(sent);
    const reply = this.replyTo(sent);
    if (!reply) return;
    try {
      this.serve(sent, reply, Buffer.byteLength(line));
    } catch (error) {
      // An error in this callback of stdin would end the process.
      this.logger.error('MCP over stdio failed', error instanceof Error ? error.stack : error);
      if (sent.kind === 'request') reply.refuse({ ...INTERNAL_ERROR, id: sent.message.id });
    }
  }

  /** Without a response, the client would wait forever. */
  refuse(refusal: Refusal): void {
    this.logger.debug(`A message was rejected: ${refusal.message}`);
    this.setup.output.write(`${refusalJson(refusal)}\n`);
  }

  resourceUpdated(uri: string): void {
    this.session.resourceUpdated(uri);
    this.setup.stateless.resourceUpdated(uri);
  }

  /**
   * Waits until the running requests have ended and the responses are written. Open questions to
   * the client fail, because answers cannot arrive anymore. If a request has no response after
   * `limitMs`, the request gets an error.
   */
  async drain(limitMs: number): Promise<void> {
    const { output, stateless } = this.setup;
    this.closing = true;
    // A request may end before the response is written, because observers can delay the response.
    const answered = this.running.none(limitMs);
    await Promise.all([this.session.drain(limitMs), stateless.close(limitMs), answered]);
    this.session.close(SHUTTING_DOWN.message);
    for (const [id, reply] of this.running) reply.refuse({ ...SHUTTING_DOWN, id });
    await new Promise<void>((resolve) => {
      if (output.writable) output.write('', () => resolve());
      else resolve();
    });
  }

  private serve(sent: ClientMessage, reply: Reply, bytes: number): void {
    const { operations, caller: parent } = this.setup;
    const rewritten = operations.rewrite(sent, parent);
    const message = rewritten?.message ?? sent;
    const caller = rewritten?.caller ?? parent;
    const { watches } = operations;
    if (!watches.any) return this.pass(message, caller, reply);
    this.pass(message, watches.watch(message, caller, reply, bytes), reply);
  }

  private pass(message: ClientMessage, caller: Caller, reply: Reply): void {
    const { stateless } = this.setup;
    const cancelled = cancelledBy(message);
    // In all protocol versions, a cancelled request gets no response.
    if (cancelled !== undefined) {
      this.session.requests.cancel(cancelled);
      this.running.get(cancelled)?.end();
      reply.end();
    } else if (isStatelessMessage(message, NO_HEADERS)) {
      void stateless.post(message, undefined, caller, reply);
    } else {
      this.session.receive(message, undefined, caller, reply);
    }
  }

  /** Returns undefined if the request was rejected. */
  private replyTo({ kind, message }: ClientMessage): Reply | undefined {
    const reply = new StdioReply(this.setup.output);
    reply.clean = this.setup.operations.clean;
    if (kind !== 'request') return reply;
    const { id } = message;
    if (this.closing) reply.refuse({ ...SHUTTING_DOWN, id });
    else if (this.running.has(id)) reply.refuse(duplicateId(id));
    if (!reply.isOpen) return undefined;
    this.running.set(id, reply);
    reply.onceClosed(() => void this.running.delete(id));
    return reply;
  }
}

const NO_HEADERS = {};

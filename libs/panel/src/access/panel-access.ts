import type { Container } from '@fledge/core';
import { Logger } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { ResolvedPanelOptions } from '../panel.defaults.js';
import { PanelRefusal } from '../panel.errors.js';
import { requireLocal } from './local-request.js';
import { requireSameOrigin } from './same-origin.js';

/** Decides which requests may use the panel. */
export class PanelAccess {
  private readonly logger = new Logger('PanelModule');

  constructor(
    private readonly options: Pick<ResolvedPanelOptions, 'authorize' | 'hosts'>,
    private readonly container: Container,
  ) {}

  /**
   * @param isPage see `requireSameOrigin`
   * @throws PanelRefusal
   */
  async require(request: IncomingMessage, isPage: boolean): Promise<void> {
    const { authorize, hosts } = this.options;
    if (authorize === undefined) requireLocal(request, hosts);
    requireSameOrigin(request, isPage);
    if (authorize === undefined) return;
    // The result must be true. An object must not allow access.
    if ((await this.authorized(authorize, request)) === true) return;
    throw new PanelRefusal(
      403,
      'PANEL_FORBIDDEN',
      'You are not allowed to use the panel of this application.',
    );
  }

  /** Returns true if the request is still allowed. Used for requests that began earlier. */
  async allows(request: IncomingMessage): Promise<boolean> {
    return this.require(request, false).then(
      () => true,
      () => false,
    );
  }

  private async authorized(
    authorize: NonNullable<ResolvedPanelOptions['authorize']>,
    request: IncomingMessage,
  ): Promise<boolean> {
    try {
      return await authorize(request, this.container);
    } catch (error) {
      this.logger.error(
        'The function `authorize` of PanelModule.forRoot() failed, so the request is rejected',
        error,
      );
      return false;
    }
  }
}

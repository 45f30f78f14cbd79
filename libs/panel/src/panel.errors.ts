/** Base class of this package's errors. The `code` is stable; messages may change. */
export abstract class PanelError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** `PanelModule.forRoot()` got an unknown or invalid option. Thrown when it is called. */
export class PanelOptionError extends PanelError {
  readonly code = 'PANEL_BAD_OPTION';
}

/** The panel is enabled in production without `authorize`. Thrown by `PanelModule.forRoot()`. */
export class PanelUnprotectedError extends PanelError {
  readonly code = 'PANEL_UNPROTECTED';

  constructor() {
    super(
      'PanelModule.forRoot({ enabled: true }) would show the panel to every visitor, because NODE_ENV is ' +
        '"production" and there is no authorize. Set it: forRoot({ authorize: (request) => isAdmin(request) }), ' +
        'or remove enabled.',
    );
  }
}

/** A request that the panel refuses. Its status, code and message are the answer. */
export class PanelRefusal extends PanelError {
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 413 | 415 | 500 | 503,
    readonly code: string,
    message: string,
    /** Methods of the address, for a 405. */
    readonly allow?: string,
  ) {
    super(message);
  }
}

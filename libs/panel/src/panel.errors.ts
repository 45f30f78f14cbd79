import { FledgeError } from '@fledge/core/packages';

/** Base class of this package's errors. The `code` is stable; messages may change. */
export abstract class PanelError extends FledgeError {}

/**
 * `PanelModule.forRoot()` received an unknown option or an invalid value.
 * @remarks Correct the option that the message names.
 */
export class PanelOptionError extends PanelError {
  readonly code = 'PANEL_BAD_OPTION';
}

/**
 * The panel is enabled in production without `authorize`. Thrown by `PanelModule.forRoot()`.
 * @remarks Set `authorize`, or remove `enabled`.
 */
export class PanelUnprotectedError extends PanelError {
  readonly code = 'PANEL_UNPROTECTED';

  constructor() {
    super(
      'PanelModule.forRoot({ enabled: true }) would show the panel to every visitor, because NODE_ENV is ' +
        '"production" and `authorize` is not set. Set forRoot({ authorize: (request) => isAdmin(request) }), ' +
        'or remove `enabled`.',
    );
  }
}

/** Error codes of requests that the panel rejects, with their HTTP status. */
export interface PanelRefusalCodes {
  /**
   * The request came from another machine, directly or through a proxy.
   * @remarks Open the panel on the machine itself, or set `authorize`.
   */
  readonly PANEL_NOT_LOCAL: 403;
  /**
   * The `Host` header is not a name of this machine.
   * @remarks Add the name to `hosts`.
   */
  readonly PANEL_HOST_NOT_ALLOWED: 403;
  /**
   * A page of another origin sent the request.
   * @remarks Open the panel itself, not a page that calls it.
   */
  readonly PANEL_FOREIGN_ORIGIN: 403;
  /**
   * `authorize` did not return true.
   * @remarks Sign in as a user that `authorize` accepts. If `authorize` threw an error, the error
   * is in the log.
   */
  readonly PANEL_FORBIDDEN: 403;
  /**
   * The package contains no built page.
   * @remarks Install the package again, or run `npm run build` in its repository.
   */
  readonly PANEL_NOT_BUILT: 503;
  /**
   * The view failed with an error.
   * @remarks Read the log of the application.
   */
  readonly PANEL_FAILED: 500;
  /**
   * The view requires a package that the application does not use.
   * @remarks Install the package and import its module.
   */
  readonly PANEL_NOT_INSTALLED: 404;
  /**
   * The session has ended.
   * @remarks Reload the view.
   */
  readonly PANEL_NO_SESSION: 404;
  /**
   * The panel does not keep the response of this call.
   * @remarks Run the call again. The panel keeps the last responses of tools, up to 4 MB together.
   */
  readonly PANEL_NO_RESULT: 404;
  /**
   * There is no route with `@Qs()` and this name, or there is no GET route without parameters at
   * this path.
   * @remarks Reload the view.
   */
  readonly PANEL_NO_ROUTE: 404;
  /**
   * The route that the button "Check" called did not respond.
   * @remarks Read the message and the log of the application, or check another route.
   */
  readonly PANEL_NO_ANSWER: 504;
  /**
   * The panel has no page or API at this address.
   * @remarks Open the address of the panel, with its final slash.
   */
  readonly PANEL_NOT_FOUND: 404;
  /**
   * The address does not support this method.
   * @remarks Use a method of the header `Allow`.
   */
  readonly PANEL_METHOD: 405;
  /**
   * The body is too large.
   * @remarks Send at most as many bytes as the message says.
   */
  readonly PANEL_BODY_TOO_LARGE: 413;
  /**
   * The body is not `application/json`, the body is compressed, or the charset is unknown.
   * @remarks Send a JSON object as `application/json`, in UTF-8 and uncompressed.
   */
  readonly PANEL_NOT_JSON: 415;
  /**
   * The body is not a JSON object, or one of its properties is invalid.
   * @remarks Correct the property that the message names.
   */
  readonly PANEL_BAD_BODY: 400;
}

/** A request that the panel rejects. Its status, code and message become the response. */
export class PanelRefusal extends PanelError {
  constructor(
    readonly status: PanelRefusalCodes[keyof PanelRefusalCodes],
    readonly code: keyof PanelRefusalCodes,
    message: string,
    /** The supported methods of the address, for a 405 response. */
    readonly allow?: string,
  ) {
    super(message);
  }
}

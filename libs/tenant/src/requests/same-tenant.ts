import { nameDecorated } from '@fledge-internal/nest-modules';
import { RequestContext } from '@fledge/core';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Optional,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { requireTenantModule } from '../require-tenant-module.js';
import { currentTenant } from '../scope/tenant-scope.js';
import { TenantMismatchError, TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { Refusal } from './refusal.js';
import { markCompared } from './route-mode.js';
import { TenantMetrics } from './tenant-metrics.js';
import { isRequest } from './tenant-verifier.js';

/** Runs before pipes, because pipes may change the values. */
@Injectable()
abstract class SameTenantInterceptor implements NestInterceptor {
  protected abstract readonly paths: readonly string[];

  constructor(
    // Optional, because this class throws the error about a missing TenantModule.
    @Optional() private readonly ctx: RequestContext,
    @Optional() private readonly refusal: Refusal,
    @Optional() private readonly metrics: TenantMetrics,
  ) {
    requireTenantModule(refusal, '@SameTenant()');
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!isRequest(execution)) {
      throw new TenantOptionError(
        `@SameTenant() of ${execution.getClass().name}.${execution.getHandler().name} reads HTTP ` +
          `requests, but this is a message (${execution.getType()}). Compare the values in the handler.`,
      );
    }
    const tenant = currentTenant();
    const place = tenant && foreignPlaceOf(this.ctx.req, tenant.tenantId, this.paths);
    if (place !== undefined) {
      this.metrics.mismatch += 1;
      throw this.refusal.httpErrorOf(
        new TenantMismatchError(`The value of \`${place}\` belongs to another tenant`),
        this.ctx,
      );
    }
    return next.handle();
  }
}

/**
 * Rejects a request if one of the given values is another tenant. The client then gets a 403. The
 * values can be in the body, parameters, query string or headers. Accepts missing values, and
 * requests without a tenant, for example on a `@UniversalRoute()`. An interceptor that parses the
 * body, such as `FileInterceptor`, must run first: write its `@UseInterceptors()` below
 * `@SameTenant()` on the method.
 *
 * @param paths such as `body.tenantId` or `params.tenant`
 * @throws TenantOptionError at startup, if there is no path, if a path is invalid, or if the route
 * has `@CentralRoute()`. Also thrown for each message of a gateway or microservice
 */
export function SameTenant(...paths: [string, ...string[]]): MethodDecorator & ClassDecorator {
  // Each decorator has its own class. Nest runs the interceptors of all classes.
  class SameTenantPaths extends SameTenantInterceptor {
    protected readonly paths = paths;
  }
  return (target: object, key?: string | symbol, descriptor?: { readonly value?: unknown }) => {
    const name = nameDecorated(target, key);
    requirePaths(paths, name);
    markCompared((descriptor?.value ?? target) as Function, name);
    applyDecorators(UseInterceptors(SameTenantPaths))(target, key, descriptor);
  };
}

/** @throws TenantOptionError if there is no path or a path is invalid */
function requirePaths(paths: readonly string[], name: string): void {
  if (paths.length === 0) {
    throw new TenantOptionError(
      `@SameTenant() of ${name} has no path, so it would check nothing. Pass a path: ` +
        `@SameTenant('body.tenantId').`,
    );
  }
  for (const path of paths) {
    if (PATH.test(path)) continue;
    throw new TenantOptionError(
      `@SameTenant(${JSON.stringify(path)}) of ${name} is not a path into the request. Start the ` +
        `path with \`body\`, \`params\`, \`query\` or \`headers\`: @SameTenant('body.tenantId').`,
    );
  }
}

const PATH = /^(body|params|query|headers)(\.[^.]+)+$/;

/** Returns the first path with a value that is not the tenant's id. */
function foreignPlaceOf(
  req: TenantRequest,
  tenantId: string,
  paths: readonly string[],
): string | undefined {
  return paths.find((path) =>
    valuesAt(req, path).some((value) => !(isPlain(value) && String(value) === tenantId)),
  );
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Returns the values at a path. For a list, even in a list, returns the values of all items. */
function valuesAt(req: TenantRequest, path: string): unknown[] {
  const [place, ...names] = path.split('.');
  let values: unknown[] = [(req as Record<string, unknown>)[place!]];
  for (const name of names) {
    // Node.js converts header names to lower case.
    const key = place === 'headers' ? name.toLowerCase() : name;
    values = values.flat(Infinity).flatMap((value) => (hasOwn(value, key) ? [value[key]] : []));
  }
  return values.filter((value) => value !== undefined);
}

function hasOwn(value: unknown, key: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}

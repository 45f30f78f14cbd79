import { RequestContext } from '@fledge/core';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { currentTenant } from '../scope/tenant-scope.js';
import { TenantMismatchError, TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { Refusal } from './refusal.js';
import { TenantMetrics } from './tenant-metrics.js';

const SameTenantPaths = Reflector.createDecorator<readonly string[]>();

/** Runs before pipes, because pipes may change the values. */
@Injectable()
class SameTenantInterceptor implements NestInterceptor {
  constructor(
    private readonly ctx: RequestContext,
    private readonly reflector: Reflector,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tenant = currentTenant();
    const paths: readonly string[] = this.reflector.getAllAndMerge(SameTenantPaths, [
      execution.getHandler(),
      execution.getClass(),
    ]);
    const place = tenant && foreignPlaceOf(this.ctx.req, tenant.tenantId, paths);
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
 * values can be in the body, parameters, query string or headers. Missing values are accepted. An
 * interceptor that parses the body, such as `FileInterceptor`, must run first: write its
 * `@UseInterceptors()` below `@SameTenant()` on the method.
 *
 * @param paths such as `body.tenantId` or `params.tenant`
 * @throws TenantOptionError at startup, if there is no path or a path is invalid
 */
export function SameTenant(...paths: [string, ...string[]]): MethodDecorator & ClassDecorator {
  if ((paths as readonly string[]).length === 0) {
    throw new TenantOptionError(
      "@SameTenant() has no path, so it would check nothing. Pass a path: @SameTenant('body.tenantId').",
    );
  }
  for (const path of paths) {
    if (PATH.test(path)) continue;
    throw new TenantOptionError(
      `@SameTenant(${JSON.stringify(path)}) is not a path into the request. Start the path with ` +
        `\`body\`, \`params\`, \`query\` or \`headers\`: @SameTenant('body.tenantId').`,
    );
  }
  return applyDecorators(SameTenantPaths(paths), UseInterceptors(SameTenantInterceptor));
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

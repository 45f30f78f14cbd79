// Gives RequestContext qs() and paginate().
import './context-methods.js';
export { Cursors } from './cursors.js';
export { Paginate } from './paginate.decorator.js';
export { PaginateInterceptor } from './paginate.interceptor.js';
export type { Paginator } from './paginator.js';
export { Qs } from './qs.decorator.js';
export { QueryModule } from './query.module.js';
export {
  type CursorOptions,
  type QueryModuleOptions,
  type RouteQueryOptions,
} from './query-module.options.js';
export { QueryPipe } from './query.pipe.js';

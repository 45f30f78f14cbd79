// Adds qs() and paginate() to RequestContext of @fledge/core.
import './context-methods.js';
export { Cursors } from './cursors.js';
export { Paginate } from './paginate.decorator.js';
export { Paginated, type PaginatedOptions } from './paginated.decorator.js';
export type { PageTotal } from './page-model.js';
export type { Paginator } from './paginator.js';
export { Qs } from './qs.decorator.js';
export { QueryModule } from './query.module.js';
export { QueryPipe } from './query.pipe.js';
export { Summarized } from './summarized.decorator.js';
export type { CursorOptions, QueryModuleOptions, RouteQueryOptions } from '../query.options.js';

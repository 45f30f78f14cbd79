import { AsyncResource } from 'node:async_hooks';
import { TenantUnguardedError } from '../../tenant.errors.js';
import { guardedPipeline, type OwnIn } from './guarded-pipeline.js';
import { checkCollation, filtered, type OwnDocuments } from './own-documents.js';

type Method = (this: object, ...args: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;
type Overrides = (plain: Methods) => Methods;

/** Guards the methods of a driver cursor of `find()` that replace the filter or the collation. */
export function guardFindCursor(own: OwnDocuments): (result: unknown) => unknown {
  return guardResult((plain) => ({
    filter(filter) {
      return plain['filter']?.call(this, filtered(filter, own));
    },
    collation(collation) {
      checkCollation({ collation }, own);
      return plain['collation']?.call(this, collation);
    },
    count(options) {
      checkCollation(options, own);
      return plain['count']?.call(this, options);
    },
    addQueryModifier(name, value) {
      if (name === '$query') {
        throw new TenantUnguardedError(
          'addQueryModifier() with $query',
          'the modifier replaces the filter of the cursor',
          'Use filter()',
        );
      }
      return plain['addQueryModifier']?.call(this, name, value);
    },
  }));
}

/** Guards the stages that code adds to a driver cursor of `aggregate()`, such as `lookup()`. */
export function guardAggregationCursor(ownIn: OwnIn): (result: unknown) => unknown {
  // The cursor belongs to the tenant that made the cursor, even if another tenant adds the stage.
  const guarded = AsyncResource.bind((stage: unknown) => guardedPipeline(stage, undefined, ownIn));
  return guardResult((plain) => ({
    addStage(stage) {
      return plain['addStage']?.call(this, ...guarded(stage));
    },
  }));
}

/** While the connection is not open, the result is a promise of a cursor. */
function guardResult(overrides: Overrides): (result: unknown) => unknown {
  const guard = (cursor: unknown) => guardCursor(cursor as object, overrides);
  return (result) => (result instanceof Promise ? result.then(guard) : guard(result));
}

function guardCursor(cursor: object, overrides: Overrides): object {
  const plain = Object.getPrototypeOf(cursor) as Methods;
  const methods: Methods = {
    ...overrides(plain),
    clone() {
      return guardCursor(plain['clone']?.call(this) as object, overrides);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    if (name in plain) Object.defineProperty(cursor, name, { value, configurable: true });
  }
  return cursor;
}

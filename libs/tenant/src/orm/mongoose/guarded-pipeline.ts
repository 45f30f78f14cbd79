import { TenantUnguardedError } from '../../tenant.errors.js';
import { type Document, filtered, type OwnDocuments, plain } from './own-documents.js';

/** Returns undefined if the collection is shared. */
export type OwnIn = (collection: string) => OwnDocuments | undefined;

/** Stages that only read documents of the previous stage. */
const PLAIN = new Set(
  (
    '$match $project $addFields $set $unset $group $sort $limit $skip $unwind $count $sortByCount $bucket $bucketAuto ' +
    '$replaceRoot $replaceWith $redact $sample $setWindowFields $fill $densify $documents'
  ).split(' '),
);

/** @throws TenantUnguardedError */
export function guardedPipeline(
  pipeline: unknown,
  own: OwnDocuments | undefined,
  ownIn: OwnIn,
): Document[] {
  const given = (Array.isArray(pipeline) ? pipeline : [pipeline]) as Document[];
  const stages = given.map((stage) => guardedStage(stage, ownIn));
  return own ? startingWith(stages, own) : stages;
}

/**
 * Adds the condition at the start. `$geoNear`, and `$match` with `$text`, must be the first stage.
 * The condition is added to these stages.
 */
function startingWith(stages: Document[], own: OwnDocuments): Document[] {
  const [first = {}, ...rest] = stages;
  if (first['$geoNear']) {
    const near = plain(first['$geoNear']);
    return [{ $geoNear: { ...near, query: filtered(near['query'], own) } }, ...rest];
  }
  if (first['$match']) return [{ $match: filtered(first['$match'], own) }, ...rest];
  return [{ $match: filtered({}, own) }, ...stages];
}

function guardedStage(given: Document, ownIn: OwnIn): Document {
  const stage = plain(given);
  const [name = '', ...more] = Object.keys(stage);
  if (more.length > 0)
    refuse(`The stage ${Object.keys(stage).join(', ')}`, 'a stage must have exactly one operator');
  if (name === '$geoNear' || PLAIN.has(name)) return stage;
  const guard = JOINS[name];
  if (!guard) return refuse(`The stage ${name}`, 'the guard cannot filter this stage');
  return { [name]: guard(plain(stage[name]), ownIn) };
}

const JOINS: Partial<Record<string, (given: Document, ownIn: OwnIn) => unknown>> = {
  $lookup: lookup,
  $graphLookup: graphLookup,
  $unionWith: unionWith,
  $facet: (given, ownIn) =>
    Object.fromEntries(
      Object.entries(given).map(([key, one]) => [key, guardedPipeline(one, undefined, ownIn)]),
    ),
};

function lookup(given: Document, ownIn: OwnIn): Document {
  const own = sourceOf(given['from'], ownIn);
  const { pipeline = [] } = given;
  if (!own && !('pipeline' in given)) return given;
  return { ...given, pipeline: guardedPipeline(pipeline, own, ownIn) };
}

function graphLookup(given: Document, ownIn: OwnIn): Document {
  const own = sourceOf(given['from'], ownIn);
  if (!own) return given;
  return {
    ...given,
    restrictSearchWithMatch: filtered(given['restrictSearchWithMatch'], own),
  };
}

function unionWith(given: string | Document, ownIn: OwnIn): unknown {
  const { coll, pipeline = [] } = typeof given === 'string' ? { coll: given } : given;
  return {
    ...(coll !== undefined && { coll }),
    pipeline: guardedPipeline(pipeline, sourceOf(coll, ownIn), ownIn),
  };
}

/** If there is no collection, a pipeline starts with `$documents`. */
function sourceOf(from: unknown, ownIn: OwnIn): OwnDocuments | undefined {
  if (from === undefined) return undefined;
  return typeof from === 'string'
    ? ownIn(from)
    : refuse('A stage that reads another database', 'the guard cannot filter this stage');
}

function refuse(stage: string, reason: string): never {
  throw new TenantUnguardedError(
    `${stage} in aggregate()`,
    reason,
    'Use other stages, or use the MongoDB driver and filter by tenant yourself',
  );
}

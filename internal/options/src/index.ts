export { nearestTo } from './nearest.js';
export {
  atLeast,
  checkNames,
  count,
  flag,
  group,
  groupIfGiven,
  kind,
  oneOf,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  rule,
  type Rule,
  someOf,
} from './option-table.js';

export {
  mongooseAdapter,
  type MongooseAdapter,
  type MongooseKeysetQuery,
  type MongooseQuery,
  type MongooseQueryConfig,
  type QueriedModel,
} from './mongoose.adapter.js';
export type { PropertyDeclaration, PropertyQueryConfig } from '../resolve/derived-columns.js';
export type { MongooseSummarySource } from './summarize-mongoose.js';

import type * as Drizzle from 'drizzle-orm';
import { optionalPeer } from '../resolve/optional-peer.js';
import { checkPeer } from '../resolve/supported-peers.js';

checkPeer('drizzle-orm', '@fledge/query/drizzle');
const orm = optionalPeer('drizzle-orm', '@fledge/query/drizzle') as typeof Drizzle;

/** The functions and classes of Drizzle that this adapter uses. */
export const {
  aliasedTableColumn,
  and,
  Column,
  getTableColumns,
  getTableName,
  getTableUniqueName,
  is,
  sql,
  Table,
} = orm;
export type AliasedSql = Drizzle.SQL.Aliased;
export type AnyColumn = Drizzle.AnyColumn;
export type Column = Drizzle.Column;
export type Param = Drizzle.Param;
export type SQL = Drizzle.SQL;
export type SQLWrapper = Drizzle.SQLWrapper;
export type Table = Drizzle.Table;

// Replaces better-sqlite3 in tests if its binary was not built for this Node.js version (it cannot
// be built for 24). Has the same functions, based on `node:sqlite`. jest.config.js maps the package
// to this file.
const { DatabaseSync } = require('node:sqlite');

class Statement {
  constructor(database, sql) {
    this.database = database;
    this.source = sql;
    this.statement = database.connection.prepare(sql);
    this.reader = this.statement.columns().length > 0;
    // By default, better-sqlite3 rounds integers beyond 2^53, but node:sqlite throws for them.
    this.statement.setReadBigInts(true);
    this.bigints = false;
    this.bound = [];
    this.form = 'object';
  }

  bind(...values) {
    this.bound = values;
    return this;
  }

  raw(on = true) {
    return this.shaped(on ? 'array' : 'object');
  }

  pluck(on = true) {
    return this.shaped(on ? 'value' : 'object');
  }

  safeIntegers(on = true) {
    this.bigints = on;
    return this;
  }

  columns() {
    return this.statement.columns();
  }

  run(...values) {
    const { changes, lastInsertRowid } = this.statement.run(...this.with(values));
    return { changes: Number(changes), lastInsertRowid: this.value(lastInsertRowid) };
  }

  get(...values) {
    const row = this.statement.get(...this.with(values));
    return row === undefined ? undefined : this.shape(row);
  }

  all(...values) {
    return this.statement.all(...this.with(values)).map((row) => this.shape(row));
  }

  *iterate(...values) {
    for (const row of this.statement.iterate(...this.with(values))) yield this.shape(row);
  }

  with(values) {
    return (values.length === 0 ? this.bound : values).flat();
  }

  shaped(form) {
    this.form = form;
    this.statement.setReturnArrays(form !== 'object');
    return this;
  }

  shape(row) {
    if (this.form === 'value') return this.value(row[0]);
    if (this.form === 'array') return row.map((value) => this.value(value));
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, this.value(value)]),
    );
  }

  value(value) {
    if (typeof value === 'bigint' && !this.bigints) return Number(value);
    return value instanceof Uint8Array ? Buffer.from(value) : value;
  }
}

class Database {
  constructor(path = ':memory:', { readonly = false } = {}) {
    if (!new.target) return new Database(path, { readonly });
    this.name = path;
    this.memory = path === ':memory:' || path === '';
    this.readonly = readonly;
    this.connection = new DatabaseSync(path, { readOnly: readonly });
  }

  get open() {
    return this.connection.isOpen;
  }

  get inTransaction() {
    return this.connection.isTransaction;
  }

  prepare(sql) {
    return new Statement(this, sql);
  }

  exec(sql) {
    this.connection.exec(sql);
    return this;
  }

  pragma(text, { simple = false } = {}) {
    const statement = this.prepare(`PRAGMA ${text}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  function(name, ...given) {
    this.connection.function(name, ...given);
    return this;
  }

  transaction(work) {
    const begun =
      (mode) =>
      (...values) => {
        this.exec(`BEGIN ${mode}`);
        try {
          const result = work(...values);
          this.exec('COMMIT');
          return result;
        } catch (error) {
          if (this.inTransaction) this.exec('ROLLBACK');
          throw error;
        }
      };
    const [deferred, immediate, exclusive] = ['DEFERRED', 'IMMEDIATE', 'EXCLUSIVE'].map(begun);
    return Object.assign(deferred, { deferred, immediate, exclusive });
  }

  close() {
    if (this.open) this.connection.close();
    return this;
  }
}

module.exports = Database;

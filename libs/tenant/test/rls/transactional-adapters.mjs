// @nestjs-cls/transactional-adapter-knex and -kysely are not among the packages the tests install;
// these have their shape.

export class TransactionalAdapterKnex {
  constructor({ knexInstanceToken, defaultTxOptions }) {
    this.connectionToken = knexInstanceToken;
    this.defaultTxOptions = defaultTxOptions;
    const begin = (on) => (options, fn, setTx) =>
      on.transaction((tx) => {
        setTx(tx);
        return fn();
      }, options);
    this.optionsFactory = (knex) => ({
      wrapWithTransaction: async (options, fn, setTx) => begin(knex)(options, fn, setTx),
      wrapWithNestedTransaction: async (options, fn, setTx, tx) => begin(tx)(options, fn, setTx),
      getFallbackInstance: () => knex,
    });
  }
}

/** Without nested transactions, as Kysely's callback has none. */
export class TransactionalAdapterKysely {
  constructor({ kyselyInstanceToken, defaultTxOptions }) {
    this.connectionToken = kyselyInstanceToken;
    this.defaultTxOptions = defaultTxOptions;
    this.optionsFactory = (kysely) => ({
      wrapWithTransaction: async (options, fn, setTx) => {
        const transaction = kysely.transaction();
        const level = options?.isolationLevel;
        return (level ? transaction.setIsolationLevel(level) : transaction).execute((tx) => {
          setTx(tx);
          return fn();
        });
      },
      getFallbackInstance: () => kysely,
    });
  }
}

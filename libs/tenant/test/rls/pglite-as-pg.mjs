// PGlite in the shape of node-postgres, for the ORMs that know that: one connection, waited for.
import { EventEmitter } from 'node:events';

export function pgliteAsPg(pglite) {
  let last = Promise.resolve();

  class Client extends EventEmitter {
    async connect() {
      const before = last;
      last = new Promise((resolve) => (this.release = resolve));
      await before;
      return this;
    }

    query(config, values, done) {
      const { text, values: inside } = typeof config === 'string' ? { text: config } : config;
      const answer = typeof values === 'function' ? values : done;
      const asked = pglite
        .query(text, (typeof values === 'function' ? undefined : values) ?? inside ?? [])
        .then(({ rows, affectedRows }) => ({
          rows,
          rowCount: affectedRows || rows.length,
          command: /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase(),
        }));
      if (!answer) return asked;
      asked.then(
        (result) => answer(null, result),
        (error) => answer(error),
      );
    }

    end(done) {
      this.release();
      done?.();
    }
  }

  class Pool extends EventEmitter {
    connect(done) {
      const connected = new Client().connect();
      if (!done) return connected;
      connected.then((client) => done(undefined, client, () => client.release()), done);
    }

    async query(text, values) {
      const client = await this.connect();
      try {
        return await client.query(text, values);
      } finally {
        client.release();
      }
    }

    end(done) {
      done?.();
      return Promise.resolve();
    }
  }

  return { Client, Pool };
}

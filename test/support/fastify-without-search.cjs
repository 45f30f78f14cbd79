// Jest's transformer for fastify/lib/plugin-utils.js. To name a plugin, Fastify looks for its file in `require.cache`.
// Jest's is a Proxy that makes a path and an address of each of a thousand modules, at each look: up to a third of what
// a suite takes that boots Fastify often. Here it looks in an empty object, and takes the name of the function.
module.exports = {
  process: (source) => ({ code: source.replace('= require.cache', '= {}') }),
};

// Jest's transformer for fastify/lib/plugin-utils.js. To name a plugin, Fastify searches
// `require.cache` for its file. In Jest, that object is a Proxy that creates a path and an address
// for each of a thousand modules at every search. This takes up to a third of the time of a suite
// that starts Fastify often. The transformed code searches an empty object and then uses the name
// of the function.
module.exports = {
  process: (source) => ({ code: source.replace('= require.cache', '= {}') }),
};

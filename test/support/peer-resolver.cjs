// Jest's resolver while scripts/peers.mjs runs. It replaces packages of the repository with those
// in another folder.
const { folder, root, packages } = JSON.parse(process.env.FLEDGE_PEERS);

module.exports = function resolve(request, options) {
  for (const [name, instead] of Object.entries(packages)) {
    if (request === name || request.startsWith(`${name}/`)) {
      const other = instead + request.slice(name.length);
      return options.defaultResolver(other, { ...options, basedir: folder });
    }
  }
  try {
    return options.defaultResolver(request, options);
  } catch (error) {
    // Drivers that a peer loads itself (pg, mysql2, better-sqlite3) come from the repository.
    if (!options.basedir.startsWith(folder)) throw error;
    return options.defaultResolver(request, { ...options, basedir: root });
  }
};

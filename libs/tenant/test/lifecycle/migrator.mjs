// Migrates schemas by a recipe of docs/migrators.md. Arguments: its file, and schemas. Prints what was pending.
const [, , file, ...schemas] = process.argv;
const { tenant } = await import(file);
const ctx = { attempt: 2, signal: new AbortController().signal, log: () => {} };
const pending = async () => {
  const names = [];
  for (const tenantId of schemas) names.push(await tenant.pending({ tenantId }));
  return names;
};
const before = await pending();
await Promise.all(schemas.map((tenantId) => tenant.migrate({ tenantId }, ctx)));
const after = await pending();
// Nothing is left to do.
for (const tenantId of schemas) await tenant.migrate({ tenantId }, ctx);
console.log(JSON.stringify({ before, after }));
process.exit();

/**
 * The adapter of a platform. Loads only that one: tests start their applications many times, and loading takes most of a
 * start.
 */
export async function platformAdapter(platform, fastifyOptions) {
  if (platform?.toLowerCase() === 'fastify') {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    return new FastifyAdapter(fastifyOptions);
  }
  const { ExpressAdapter } = await import('@nestjs/platform-express');
  return new ExpressAdapter();
}

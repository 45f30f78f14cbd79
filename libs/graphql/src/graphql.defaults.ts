/** Name of an endpoint without the option `name`. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** Path of an endpoint without the option `path`. */
export const DEFAULT_PATH = '/graphql';

/** The built files of the explorer. The sources and the bundle stand at the same depth. */
export const EXPLORER_FOLDER = new URL('../dist/explorer/', import.meta.url);

// Launchers use this export. They must reserve stdout before they import the application, because
// the application imports `McpModule`.
export { takeStdout } from './serve/transport/stdout.js';

// For launchers, which must reserve stdout before they import the application and thereby
// McpModule.
export { takeStdout } from './serve/transport/stdout.js';

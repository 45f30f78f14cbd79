// For launchers, which must take stdout before they import the application and, with it, McpModule.
export { takeStdout } from './serve/transport/stdout.js';

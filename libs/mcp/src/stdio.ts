// For a launcher that must take stdout before the application, and with it McpModule, is imported.
export { takeStdout } from './transport/stdout.js';

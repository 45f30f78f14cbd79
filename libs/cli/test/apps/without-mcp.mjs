// A web application that does not import McpModule.
import { createServer } from 'node:http';

createServer().listen(0);

export { checkServer, checkServers, findingText } from './check-server.js';
export {
  CHECKED_CLIENTS,
  type CheckedClient,
  type CheckedServer,
  type CheckedTool,
  type CheckFinding,
  type CheckPlace,
  type CheckSeverity,
} from './checked-server.js';

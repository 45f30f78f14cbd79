/**
 * What no revision requires and Fledge leaves out on purpose. Whatever else of the suite does not pass
 * fails the run, and so does a scenario of this list that passes.
 */
export const LEFT_OUT = [
  {
    what: 'the extension io.modelcontextprotocol/tasks',
    reason: 'a call is a request, and a request is answered: there is nothing to poll',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  {
    what: 'arguments repeated as headers (x-mcp-header)',
    reason: 'they serve intermediaries; an argument reaches its route by the body alone',
    scenarios: ['http-custom-header-server-validation'],
  },
];

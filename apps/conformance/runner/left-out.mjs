/**
 * What no revision requires and Fledge leaves out on purpose. Whatever else of the suite does not pass
 * fails the run, and so does a scenario of this list that passes.
 */
export const LEFT_OUT = [
  {
    what: 'changes of tasks, announced to listeners',
    reason: 'the suite skips them until it is rewritten for subscriptions/listen; clients poll',
    scenarios: ['tasks-status-notifications'],
  },
];

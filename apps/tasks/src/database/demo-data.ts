import type { TaskPriority, TaskStatus } from './schema.js';

/** API token of the first demo user. `main.ts` prints it. */
export const DEMO_TOKEN = 'demo-token-ada';

/** Token of the operator, who creates and removes companies. */
export const DEMO_OPERATOR_TOKEN = 'demo-token-operator';

interface DemoCompany {
  readonly id: string;
  readonly name: string;
  /** Domain of the users' e-mail addresses. */
  readonly domain: string;
  /** The users. The first one creates all tasks. */
  readonly users: readonly { readonly id: string; readonly name: string }[];
  readonly tasks: readonly DemoTask[];
}

type DemoTask = readonly [
  title: string,
  status: TaskStatus,
  priority: TaskPriority,
  dueInDays: number | null,
  assignee: string | null,
];

/** The demo companies. The token of each user is `demo-token-<id>`. */
export const DEMO_COMPANIES: readonly DemoCompany[] = [
  {
    id: 'acme',
    name: 'Acme',
    domain: 'example.com',
    users: [
      { id: 'ada', name: 'Ada Lovelace' },
      { id: 'grace', name: 'Grace Hopper' },
      { id: 'alan', name: 'Alan Turing' },
    ],
    tasks: [
      ['Renew the TLS certificate of the shop', 'open', 'urgent', 2, 'grace'],
      ['Prepare the slides for the quarterly review', 'in_progress', 'high', 5, 'ada'],
      ['Answer the security questionnaire of Northwind', 'open', 'high', 7, 'alan'],
      ['Restore last night’s backup to a test machine', 'open', 'high', -1, 'grace'],
      ['Interview the second backend candidate', 'open', 'normal', 3, 'ada'],
      ['Upgrade the build servers to Node 22', 'in_progress', 'normal', 14, 'alan'],
      ['Write the onboarding guide for support', 'open', 'normal', 21, null],
      ['Find out why the nightly export takes 90 minutes', 'in_progress', 'high', 4, 'grace'],
      ['Raise invoice reminders from 14 to 30 days', 'open', 'low', null, null],
      ['Order badges for the new office', 'open', 'low', 30, 'ada'],
      ['Publish the release notes of version 4.2', 'done', 'normal', -3, 'ada'],
      ['Close the accounts of people who left', 'done', 'urgent', -7, 'alan'],
    ],
  },
  {
    id: 'globex',
    name: 'Globex',
    domain: 'globex.example',
    users: [
      { id: 'hedy', name: 'Hedy Lamarr' },
      { id: 'linus', name: 'Linus Pauling' },
    ],
    tasks: [
      ['File the patent for frequency hopping', 'open', 'urgent', 1, 'hedy'],
      ['Order reagents for the spring tests', 'in_progress', 'normal', 6, 'linus'],
      ['Review the contract with the shipyard', 'open', 'high', 9, 'hedy'],
      ['Calibrate the spectrometer', 'done', 'normal', -2, 'linus'],
    ],
  },
];

// leak.spec.ts sends fewer requests, in each run of the tests.
import { afterEach } from '@jest/globals';
import { closeAll } from '../../../../test/support/platforms.js';
import { describeManyRequests } from '../many-requests.js';

afterEach(closeAll);
describeManyRequests(2_000);

import { GRAPHQL_TASKS, TASKS_QUERY } from '../graphql-tasks.js';
import { atLeast, atMost, type Effort, type Goal } from '../goal.js';
import {
  comparisonTable,
  type Measurement,
  measureInTurn,
  ratioOf,
  rowOf,
  type Target,
} from '../load.js';
import { Server } from '../server.js';
import { show } from '../show.js';

const OURS = 'our mount, with context, container, tenant and counts';
const APOLLO = 'Apollo in Nest, with the same';
const ALONE = 'our mount, without a tenant';
const DIRECT = 'our mount with direct, without a tenant';
const APOLLO_ALONE = 'Apollo in Nest, without our context';
const MERCURIUS = '@nestjs/mercurius';
const MERCURIUS_JIT = '@nestjs/mercurius with its compiler';
const YOGA = 'yoga in Nest';
const BARE = 'graphql-http on node:http';

/** `{ hello }` and a list of 50 objects, served in the ways there are. */
export async function graphql(effort: Effort): Promise<Goal[]> {
  const express = await Promise.all([
    targetOf(OURS, 'mount', 'Express'),
    targetOf(ALONE, 'mount-alone', 'Express'),
    targetOf(DIRECT, 'mount-direct', 'Express'),
    targetOf(APOLLO, 'apollo', 'Express'),
    targetOf(APOLLO_ALONE, 'apollo-alone', 'Express'),
    targetOf('graphql-http in Nest', 'graphql-http', 'Express'),
    targetOf(YOGA, 'yoga', 'Express'),
    targetOf(BARE, 'bare'),
  ]);
  const onExpress = [
    ...(await compare('Express', express, effort)),
    ...(await compareLists('Express', express, effort)),
  ];
  stop(express);
  const fastify = await Promise.all([
    targetOf(OURS, 'mount', 'Fastify'),
    targetOf(ALONE, 'mount-alone', 'Fastify'),
    targetOf(DIRECT, 'mount-direct', 'Fastify'),
    targetOf(APOLLO, 'apollo', 'Fastify'),
    targetOf(APOLLO_ALONE, 'apollo-alone', 'Fastify'),
    targetOf(MERCURIUS, 'mercurius', 'Fastify'),
    targetOf(MERCURIUS_JIT, 'mercurius-jit', 'Fastify'),
    targetOf(BARE, 'bare'),
  ]);
  const onFastify = [
    ...(await compare('Fastify', fastify, effort)),
    ...(await compareLists('Fastify', fastify, effort)),
  ];
  stop(fastify);
  return [...onExpress, ...onFastify];
}

function stop(targets: readonly Target[]): void {
  for (const { server } of targets) server.stop();
}

/** The list of 50 objects, whose execution costs more than what serves it. */
async function compareLists(
  platform: string,
  targets: readonly Target[],
  effort: Effort,
): Promise<Goal[]> {
  const expected = JSON.stringify({ data: { tasks: GRAPHQL_TASKS } });
  const rows = await measureInTurn(
    targets.map((target) => ({
      ...target,
      body: JSON.stringify({ query: TASKS_QUERY }),
      isRight: (body: string) => body.trim() === expected,
    })),
    effort,
  );
  print(`${platform}, 50 objects`, rows);
  const goalOf = (mine: string, other: string) =>
    atMost(
      `${platform}, 50 objects, ${mine}: of ${other}`,
      1,
      ratioOf(rowOf(rows, mine), rowOf(rows, other)),
    );
  return platform === 'Fastify'
    ? [goalOf(DIRECT, MERCURIUS)]
    : [goalOf(ALONE, APOLLO_ALONE), goalOf(ALONE, YOGA)];
}

async function compare(
  platform: string,
  targets: readonly Target[],
  effort: Effort,
): Promise<Goal[]> {
  const rows = await measureInTurn(targets, effort);
  print(platform, rows);
  const ours = rowOf(rows, OURS);
  const over = (name: string, limit: number) =>
    atLeast(
      `${platform}, the mount: its requests for one of ${name}`,
      limit,
      ratioOf(rowOf(rows, name), ours),
    );
  const goals = [over(APOLLO, 1.6), over(BARE, 1)];
  if (platform === 'Express') return [...goals, over(APOLLO_ALONE, 1.6)];
  const beside = (mine: string, other: string, limit: number) =>
    atMost(
      `${platform}, ${mine}: of ${other}`,
      limit,
      ratioOf(rowOf(rows, mine), rowOf(rows, other)),
    );
  const added = ours.cpuMicros - rowOf(rows, ALONE).cpuMicros;
  return [
    ...goals,
    beside(DIRECT, MERCURIUS, 1),
    atMost(`${platform}, the mount: what the tenant adds`, 10, added, ' µs'),
  ];
}

function print(heading: string, rows: readonly Measurement[]): void {
  const ours = rowOf(rows, OURS);
  show(comparisonTable([heading, 'requests of ours for one'], rows, () => ours));
}

async function targetOf(name: string, served: string, platform = ''): Promise<Target> {
  return {
    name,
    server: await Server.start('graphql', served, platform),
    path: '/graphql',
    body: JSON.stringify({ query: '{ hello }' }),
    headers: { 'content-type': 'application/json', 'x-tenant-id': 'acme' },
    isRight: (body) => body.trim() === '{"data":{"hello":"world"}}',
  };
}

import { atLeast, atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { Server } from '../server.js';
import { table } from '../table.js';

const OURS = 'our mount, with context, container, tenant and counts';
const APOLLO = 'Apollo in Nest, with the same';
const ALONE = 'our mount, without a tenant';
const DIRECT = 'our mount with direct, without a tenant';
const APOLLO_ALONE = 'Apollo in Nest, without our context';
const MERCURIUS = '@nestjs/mercurius';
const MERCURIUS_JIT = '@nestjs/mercurius with its compiler';
const BARE = 'graphql-http on node:http';

/** `{ hello }`, served in the ways there are. */
export async function graphql(effort: Effort): Promise<Goal[]> {
  const express = await Promise.all([
    targetOf(OURS, 'mount', 'Express'),
    targetOf(ALONE, 'mount-alone', 'Express'),
    targetOf(DIRECT, 'mount-direct', 'Express'),
    targetOf(APOLLO, 'apollo', 'Express'),
    targetOf(APOLLO_ALONE, 'apollo-alone', 'Express'),
    targetOf('graphql-http in Nest', 'graphql-http', 'Express'),
    targetOf('yoga in Nest', 'yoga', 'Express'),
    targetOf(BARE, 'bare'),
  ]);
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
  return [
    ...(await compare('Express', express, effort)),
    ...(await compare('Fastify', fastify, effort)),
  ];
}

async function compare(
  platform: string,
  targets: readonly Target[],
  effort: Effort,
): Promise<Goal[]> {
  const rows = await measureInTurn(targets, effort);
  for (const { server } of targets) server.stop();
  const ours = rowOf(rows, OURS);
  console.log(
    table(
      [platform, '>CPU µs per request', '>requests of ours for one', '>req/s'],
      rows.map((row) => [
        row.target.name,
        row.cpuMicros.toFixed(0),
        ratioOf(row, ours).toFixed(2),
        row.perSecond.toFixed(0),
      ]),
    ),
  );
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

function rowOf(rows: readonly Measurement[], name: string): Measurement {
  const row = rows.find(({ target }) => target.name === name);
  if (!row) throw new Error(`${name} was not measured`);
  return row;
}

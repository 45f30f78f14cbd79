// What is done for each scenario. A plan's results are `{ node?, step, failures }`, one after the other.
import { dirname } from 'node:path';
import { addAll, addToShape, installedApplication, SHAPES } from './adds.mjs';
import { generate, makeApplication, makeRealistic } from './application.mjs';
import { run } from './child.mjs';
import { installerOf } from './managers.mjs';
import { nodeOf } from './nodes.mjs';
import { CHECKS as REALISTIC_CHECKS } from './realistic/checks.mjs';
import { ADDS, APPLICATIONS, CUT, NODES, ORMS, PLATFORMS, REALISTIC, WAYS } from './scenarios.mjs';
import { runChecks } from './serve.mjs';
import { takeWalk } from './walk.mjs';
import { takeReadmeWalk } from './walk-readme.mjs';
import { EXISTING } from './walk-steps.mjs';
import { takeTutorials } from './walk-tutorials.mjs';

/** The plans that the arguments name: `--cut`, `add`, `walk`, names, or all. */
export function plansOf(args) {
  const nodes = [process.versions.node];
  if (args.includes('--cut')) {
    return CUT.map(({ application, platforms }) =>
      applicationPlan(applicationOf(application), { platforms, nodes, offline: true }),
    );
  }
  const all = [
    ...APPLICATIONS.map((each) => applicationPlan(each, { platforms: PLATFORMS, nodes: NODES })),
    ...WAYS.map((each) => applicationPlan(each, { platforms: PLATFORMS, nodes })),
    realisticPlan(REALISTIC),
    ...ORMS.map(ormPlan),
    ...ADDS.map(addPlan),
    walkPlan('walk-new', takeReadmeWalk),
    walkPlan('walk-existing', (place) => takeWalk(EXISTING, place)),
    walkPlan('tutorials', takeTutorials),
  ];
  const isNamed = ({ name, group }) => args.includes(name) || args.includes(group);
  const unknown = args.filter((arg) => !all.some((one) => [one.name, one.group].includes(arg)));
  if (unknown.length > 0) {
    const names = all.map(({ name }) => name).join(', ');
    throw new Error(`There is no scenario ${unknown.join(', ')}. Use --cut, or some of: ${names}.`);
  }
  return args.length === 0 ? all : all.filter(isNamed);
}

const applicationOf = (name) => APPLICATIONS.find((each) => each.name === name);

/** An application that is built once, and asked on each platform with each Node.js. */
function applicationPlan(scenario, { platforms, nodes, offline = false }) {
  async function* results({ folder, registry, log }) {
    let app;
    const build = async () => {
      app = await makeApplication(scenario, { folder, registry, log, offline });
    };
    const built = await resultOf('build', build);
    if (app === undefined) return yield built;
    for (const version of nodes) {
      const node = await nodeOf(version);
      for (const platform of platforms) {
        const failures = await runChecks({ app, node, platform, log });
        yield { node: version, step: platform, failures };
      }
      const env = { PATH: `${dirname(node)}:${process.env.PATH}` };
      const test = () => run('npm', ['test'], { cwd: app, env, log, seconds: 180 });
      yield { node: version, ...(await resultOf('npm test', test)) };
    }
  }
  return { name: scenario.name, results };
}

/** An application written like real ones, asked by two users at the same time. */
function realisticPlan(scenario) {
  async function* results({ folder, registry, log }) {
    let app;
    const built = await resultOf('build', async () => {
      app = await makeRealistic(scenario, { folder, registry, log });
    });
    if (app === undefined) return yield built;
    const server = { app, node: process.execPath, platform: 'express', log };
    const failures = await runChecks({ ...server, checks: REALISTIC_CHECKS });
    yield { node: process.versions.node, step: 'express', failures };
  }
  return { name: scenario.name, results };
}

/** An application to which `nest add` adds every package; then its root module gets other shapes. */
function addPlan(scenario) {
  async function* results(place) {
    let app;
    const installed = await resultOf('npm install', async () => {
      app = await installedApplication(scenario, place);
    });
    if (app === undefined) return yield installed;
    yield await resultOf('nest add', () => addAll(scenario, app, place.log));
    for (const shape of scenario.shapes ? SHAPES : []) {
      yield await resultOf(shape.name, () => addToShape(shape, app, place.log));
    }
  }
  return { name: scenario.name, group: 'add', results };
}

/** What a newcomer does, and how long it takes. */
function walkPlan(name, take) {
  async function* results(place) {
    yield await resultOf('walk', () => take(place));
  }
  return { name, group: 'walk', results };
}

/** An application that has an ORM, and then installs our packages. Nothing of it runs. */
function ormPlan(orm) {
  async function* results({ folder, registry, log }) {
    const both = async () => {
      const app = await generate({ nest: 12, modules: 'esm' }, folder, log);
      const install = await installerOf('npm', app, registry);
      await install([orm], { log, lockOnly: true });
      const ours = registry.libs.map(({ name }) => name);
      await install([...ours, 'nestjs-cls'], { log, lockOnly: true });
    };
    yield await resultOf('npm install', both);
  }
  return { name: orm, results };
}

async function resultOf(step, work) {
  try {
    await work();
    return { step, failures: [] };
  } catch ({ expected, actual: found, message }) {
    return { step, failures: [{ check: step, expected, found, message }] };
  }
}

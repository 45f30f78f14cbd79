import { Command, CommanderError, Option } from 'commander';
import { CliError, EXIT } from './cli.errors.js';
import { CLIENT_IDS, clientIds } from './init/client-ids.js';
import { namedUrls, variableName } from './option-values.js';
import {
  connecting,
  entryOption,
  httpOption,
  timeoutOption,
  tokenOption,
} from './shared-options.js';
import { errorText, styled, terminalOf, usageText } from './output/terminal.js';
import { packageVersion } from './package-version.js';
import { addTenant } from './tenant/tenant-program.js';
import type { CallOptions } from './client/call.command.js';
import type { CheckOptions } from './client/check.command.js';
import type { ListOptions } from './client/list.command.js';
import type { InitOptions } from './init/init.command.js';
import type { InspectOptions } from './inspect/inspect.command.js';
import type { PanelOptions } from './panel/panel.command.js';
import type { StartOptions } from './start/start.command.js';

const EXIT_CODES = `
Exit codes:
  0    done
  1    the tool answered with an error, or a check found errors; the result is printed too
  2    wrong usage or bad input
  3    the application or server could not be started or reached, or gave no answer
  130  interrupted`;

/**
 * Runs one command line.
 * @returns the exit code of the process
 */
export async function run(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = programWith((code) => (exitCode = code));
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(errorText(error, terminalOf(process.stderr)));
    return error.exitCode;
  }
}

function programWith(exit: (code: number) => void): Command {
  const program = quiet(new Command('fledge'))
    .description('Commands for the MCP server, the panel and the tenants of a NestJS application.')
    .version(packageVersion())
    .addHelpText('after', EXIT_CODES);
  const mcp = program
    .command('mcp')
    .description('Commands for the application as an MCP server (Model Context Protocol)')
    .addHelpText('after', EXIT_CODES);

  addStart(mcp, exit);
  addInit(mcp);
  addList(mcp);
  addCall(mcp, exit);
  addCheck(mcp, exit);
  addInspect(mcp, exit);
  addPanel(program);
  addTenant(program, exit);
  return program;
}

// Each command is imported only when it runs. So `start` and `init` do not load the MCP client.

function addStart(mcp: Command, exit: (code: number) => void): void {
  mcp
    .command('start')
    .description('Serves MCP on stdin and stdout; other output of the application goes to stderr')
    .option(
      '--project <folder>',
      'folder of the application (default: this folder or its nearest parent with a package.json)',
    )
    .addOption(entryOption())
    .addOption(timeoutOption('maximum seconds for the application to start'))
    .action(async (options: StartOptions) => {
      const { start } = await import('./start/start.command.js');
      exit(await start(options));
    });
}

function addInit(mcp: Command): void {
  mcp
    .command('init')
    .description('Adds the application to the configuration files of MCP clients')
    .addOption(
      new Option(
        '--client <names>',
        `clients, separated by commas: ${CLIENT_IDS.join(', ')} (default: claude-code, and each client whose folder exists in the project)`,
      ).argParser(clientIds),
    )
    .option('--name <name>', 'name of the server (default: the name in package.json)')
    .option('--out <file>', 'configuration file to write (default: the file of the client)')
    .addOption(
      new Option(
        '--http <url>',
        'URL of a running server, instead of a start command; NAME=URL for several servers',
      ).argParser(namedUrls),
    )
    .addOption(
      new Option(
        '--bearer [variable]',
        'with --http: variable with the bearer token that clients send (default: FLEDGE_MCP_TOKEN)',
      ).argParser(variableName),
    )
    .addOption(entryOption().conflicts('http'))
    .option('--force', 'replace an existing server with the same name')
    .option('--print', 'print the lines to add, and write nothing')
    .addOption(
      new Option('--links', 'print install links and commands for a README').conflicts([
        'client',
        'out',
        'print',
        'force',
      ]),
    )
    .action(async (options: InitOptions) => {
      const { init } = await import('./init/init.command.js');
      init(options);
    });
}

function addList(mcp: Command): void {
  connecting(mcp.command('list'))
    .description('Lists the tools; in a pipe, one line per tool: name, arguments, description')
    .addOption(
      new Option('--json', 'print the tools as JSON, with their schemas').conflicts('cost'),
    )
    .option('--cost', 'print the bytes, the estimated tokens and the largest part of each tool')
    .addOption(timeoutOption('maximum seconds for the start, and for each response'))
    .action(async (options: ListOptions) => {
      const { list } = await import('./client/list.command.js');
      await list(options);
    });
}

function addCall(mcp: Command, exit: (code: number) => void): void {
  connecting(mcp.command('call'))
    .description('Calls a tool and prints its result')
    .argument('<name>', 'name of the tool')
    .option('--args <json>', 'arguments of the tool as a JSON object, or - to read it from stdin')
    .option('--json', 'print the whole result as JSON')
    .addOption(
      timeoutOption(
        'maximum seconds for the response; the application has at least 60 seconds to start',
      ),
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (name: string, options: CallOptions) => {
      const { call } = await import('./client/call.command.js');
      exit(await call(name, options));
    });
}

function addCheck(mcp: Command, exit: (code: number) => void): void {
  connecting(mcp.command('check'))
    .description('Checks the tools against the rules of clients, directories and scanners')
    .option(
      '--for <names>',
      'check only the rules of these clients, separated by commas: claude, openai, cursor ... (default: all)',
    )
    .option('--json', 'print the findings as JSON')
    .addOption(timeoutOption('maximum seconds for the start, and for each response'))
    .addHelpText('after', EXIT_CODES)
    .action(async (options: CheckOptions) => {
      const { check } = await import('./client/check.command.js');
      exit(await check(options));
    });
}

function addInspect(mcp: Command, exit: (code: number) => void): void {
  mcp
    .command('inspect')
    .description('Opens the installed MCP Inspector, connected to the application')
    .addOption(entryOption().conflicts('http'))
    .addOption(httpOption('URL of a running server, instead of starting the application'))
    .addOption(tokenOption())
    .addOption(timeoutOption('maximum seconds for a running server to respond'))
    .action(async (options: InspectOptions) => {
      const { inspect } = await import('./inspect/inspect.command.js');
      exit(await inspect(options));
    });
}

function addPanel(program: Command): void {
  program
    .command('panel')
    .description('Prints what the panel of a running application shows')
    .option('--json', 'print everything as JSON, instead of counts')
    .addOption(
      httpOption('URL of the application, with its global prefix').default('http://localhost:3000'),
    )
    .addOption(tokenOption())
    .addOption(timeoutOption('maximum seconds to respond'))
    .addHelpText('after', EXIT_CODES)
    .action(async (options: PanelOptions) => {
      const { panel } = await import('./panel/panel.command.js');
      await panel(options);
    });
}

/**
 * Configures Commander. It throws errors instead of exiting. On terminals, errors are colored.
 * Subcommands inherit these settings.
 */
function quiet(command: Command): Command {
  return command
    .exitOverride()
    .showHelpAfterError('Try --help.')
    .configureOutput({
      outputError: (text, write) => write(usageText(text, terminalOf(process.stderr))),
    })
    .configureHelp({ styleTitle: (title) => styled(terminalOf(process.stdout), 'bold', title) });
}

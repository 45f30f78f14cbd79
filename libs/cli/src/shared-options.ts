import { type Command, Option } from 'commander';
import { bearerToken, DEFAULT_TIMEOUT, headers, httpUrl, seconds } from './option-values.js';

// Options that several commands have.

/** Adds the options that all commands need to connect to the application. */
export function connecting(command: Command): Command {
  return command
    .addOption(entryOption().conflicts('http'))
    .addOption(httpOption('URL of a running server, instead of starting the application'))
    .addOption(tokenOption())
    .addOption(
      new Option(
        '--header <header>',
        "with --http: header of each request, such as 'x-tenant-id: acme'; repeatable",
      ).argParser(headers),
    )
    .option('--verbose', 'show what the application prints');
}

export function entryOption(): Option {
  return new Option(
    '--entry <file>',
    'built file of the application (default: from nest-cli.json or package.json, else dist/main.js)',
  );
}

export function tokenOption(): Option {
  return new Option('--token <token>', 'bearer token')
    .argParser(bearerToken)
    .env('FLEDGE_MCP_TOKEN');
}

export function httpOption(description: string): Option {
  return new Option('--http <url>', description).argParser(httpUrl);
}

export function timeoutOption(what: string): Option {
  return new Option('--timeout <seconds>', what).argParser(seconds).default(DEFAULT_TIMEOUT);
}

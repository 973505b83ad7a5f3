import { messageOf } from '../caught.ts';
import { readVariables, type Variables } from '../profile/environment.ts';
import { type Invocation, PROGRAM, parseCommandLine } from './arguments.ts';
import type { CommandName } from './commands.ts';
import { Interrupted } from './ending-signals.ts';
import { keysBesideRun } from './keys-beside-run.ts';
import { envFileOf, hiderOfGivenWords, hiderOfSetKeys, refuseKeys } from './refuse-keys.ts';
import { UsageError } from './usage-error.ts';

/** Runs a command to its end and gives the exit code of the process. */
export type Command = (invocation: Invocation, variables: Variables) => Promise<number>;

/** Loaded only when needed: `list` need not wait for the test runner, nor `certify` for the load tester. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  certify: async () => (await import('./commands/run.ts')).certifyCommand,
  check: async () => (await import('./commands/run.ts')).checkCommand,
  plan: async () => (await import('./commands/run.ts')).planCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  list: async () => (await import('./commands/list.ts')).listCommand,
  judge: async () => (await import('./commands/judge.ts')).judgeCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  replay: async () => (await import('./commands/replay.ts')).replayCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  reference: async () => (await import('./commands/reference.ts')).referenceCommand,
  property: async () => (await import('./commands/property.ts')).propertyCommand,
  load: async () => (await import('./commands/load.ts')).loadCommand,
  merge: async () => (await import('./commands/load.ts')).mergeCommand,
  keygen: async () => (await import('./commands/certificate.ts')).keygenCommand,
  attest: async () => (await import('./commands/certificate.ts')).attestCommand,
  verify: async () => (await import('./commands/certificate.ts')).verifyCommand,
  accuracy: async () => (await import('./commands/accuracy.ts')).accuracyCommand,
  init: async () => (await import('./commands/init.ts')).initCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
  help: async () => (await import('./commands/help.ts')).helpCommand,
  version: async () => (await import('./commands/help.ts')).versionCommand,
};

/**
 * The command line. Exit codes: 0 conforms (or done), 1 does not conform, 2 usage or environment, 3 incomplete or
 * inconclusive.
 *
 * @param argv the arguments, without interpreter and script
 */
export async function main(argv: readonly string[]): Promise<number> {
  // It is not an error if the reader closes the pipe early (`| head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') return;
    if (error.code === 'EPIPE') process.exit(0);
    const remedy = 'Make room for it, or send it elsewhere. What the run recorded is in its folder.';
    process.stderr.write(`${PROGRAM}: the output cannot be written (${error.code}). ${remedy}\n`, () =>
      process.exit(2),
    );
  });
  process.once('SIGHUP', () => {
    for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) silence(stream);
  });
  const invocation = parseCommandLine(argv);
  const beside = keysBesideRun(invocation, process.env);
  const variables = readVariables(process.env, envFileOf(argv) ?? beside);
  const hideSet = hiderOfSetKeys(variables.values);
  const hideGiven = hiderOfGivenWords(argv);
  const hide = (text: string): string => hideGiven(hideSet(text));
  try {
    // Dependencies that print debug output would print keys. They are loaded later, and read this variable then.
    delete process.env.DEBUG;
    const refusal = refuseKeys(argv, hideSet);
    if (refusal) throw refusal;
    if (invocation instanceof UsageError) throw invocation;
    if (beside !== null) process.stderr.write(`Keys come from ${beside}, since none are set here.\n`);
    const command = await COMMANDS[invocation.command]();
    return await command(invocation, variables);
  } catch (error) {
    process.stderr.write(`${PROGRAM}: ${hide(messageOf(error))}\n`);
    // Any other error is a bug of the suite, and a bug report needs its stack.
    if (process.env.SIZE_CHART_DEBUG && error instanceof Error) process.stderr.write(`${hide(error.stack ?? '')}\n`);
    return error instanceof Interrupted ? 3 : 2;
  }
}

/** A terminal that is closed takes no more text: it would be an error that keeps the command from ending in order. */
function silence(stream: NodeJS.WriteStream): void {
  stream.write = (...given: unknown[]): boolean => {
    const done = given.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
}

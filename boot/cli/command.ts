import { Command } from 'commander';

export const COMMAND_NAME = 'npm run -s cli --';

/** Records the result of a command. `isFailed` sets a failure exit code. */
export type CommandFinisher = (result: unknown, isFailed?: boolean) => void;

export interface WorkspaceOption {
  workspace: string;
}

/** A command that passes the result of its action to `finish`. */
export class CliCommand extends Command {
  private readonly finish: CommandFinisher;

  constructor(name: string | undefined, finish: CommandFinisher) {
    super(name);
    this.finish = finish;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.finish);
  }

  requireWorkspace(): this {
    return this.requiredOption('--workspace <slug>', 'slug of the workspace');
  }

  allowWorkspace(): this {
    return this.option('--workspace <slug>', 'limit to one workspace');
  }

  examples(...lines: string[]): this {
    const title = lines.length > 1 ? 'Examples' : 'Example';
    return this.addHelpText(
      'after',
      `\n${title}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`,
    );
  }

  /** Sets the action, which receives the workspace and the arguments. */
  runsInWorkspace(load: () => Promise<(workspace: string, ...args: never[]) => unknown>): this {
    return this.action(async (...args) => {
      const { workspace } = args.at(-2) as WorkspaceOption;
      const run = await load();
      this.finish(await run(workspace, ...(args.slice(0, -2) as never[])));
    });
  }

  /** Sets the action. It imports its module on execution, so that help and usage errors appear immediately. */
  runs<T>(run: (...args: never[]) => T | Promise<T>, isFailure: (result: T) => boolean = () => false): this {
    return this.action(async (...args) => {
      const result = await run(...(args as never[]));
      this.finish(result, isFailure(result));
    });
  }
}

/** Collects the values of an option that can be repeated. */
export const appendValue = (value: string, before: string[] = []): string[] => [...before, value];

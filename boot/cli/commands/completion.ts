import { Argument } from 'commander';
import type { CliCommand } from '../command.ts';

export function addCompletionCommand(program: CliCommand): void {
  program
    .command('completion')
    .description('Print a shell function `atrium` that runs these commands from any folder, with completion.')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(['bash', 'zsh', 'fish']))
    .examples(
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/conf.d/atrium.fish',
    )
    .runs(async (shell: 'bash' | 'zsh' | 'fish') =>
      (await import('../completion.ts')).buildCompletion(program, shell),
    );
}

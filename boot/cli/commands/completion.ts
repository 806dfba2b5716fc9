import { Argument, type Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addCompletionCommand(program: Command, done: Done): void {
  examples(
    program
      .command('completion')
      .description(
        'Print a function `atrium` for your shell that runs these commands from any folder and completes them.',
      )
      .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
      .action(async (shell: 'bash' | 'zsh' | 'fish') => {
        const { completionOf } = await import('../completion.ts');
        done(completionOf(program, shell));
      }),
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/conf.d/atrium.fish',
  );
}

import { Argument, type Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addCompletionCommand(program: Command, finish: CommandFinisher): void {
  program
    .command('completion')
    .description('Print a shell function `atrium` that runs these commands from any folder, with completion.')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      formatExamples(
        'completion bash >> ~/.bashrc',
        'completion zsh >> ~/.zshrc',
        'completion fish > ~/.config/fish/conf.d/atrium.fish',
      ),
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { buildCompletion } = await import('../completion.ts');
      finish(buildCompletion(program, shell));
    });
}

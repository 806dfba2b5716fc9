import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** The subcommands and options that can follow a command. `words` is empty for the program itself. */
interface CompletionContext {
  words: string;
  commands: { name: string; about: string }[];
  options: { flag: string; about: string }[];
}

const SHELLS = { bash: buildBashScript, zsh: buildZshScript, fish: buildFishScript };

/** The script contains the paths of Node and of this project. */
export const buildCompletion = (program: Command, shell: keyof typeof SHELLS): string[] =>
  SHELLS[shell](collectContexts(program, [])).split('\n');

function collectContexts(command: Command, args: string[]): CompletionContext[] {
  const inherited = args.length > 0 ? [{ flag: '--json', about: 'print one line of JSON' }] : [];
  const ownOptions = command.options.map(({ long, description }) => ({ flag: long!, about: description }));
  const context: CompletionContext = {
    words: args.join(' '),
    commands: command.commands.map((command) => ({
      name: command.name(),
      about: getFirstSentence(command.description()),
    })),
    options: [...ownOptions, ...inherited, { flag: '--help', about: 'show the help' }],
  };
  return [
    context,
    ...command.commands.flatMap((command) => collectContexts(command, [...args, command.name()])),
  ];
}

const getFirstSentence = (text: string): string => text.split(/(?<=\.) /)[0]!;

/**
 * Commands run in the folder where the script was generated, because they read its settings. Like npm, the script
 * passes the caller's folder in INIT_CWD.
 */
const CALL = [
  `env INIT_CWD="$PWD" sh -c 'cd "$1" && shift && exec "$@"' atrium`,
  ...[process.cwd(), process.execPath, fileURLToPath(new URL('../cli.mjs', import.meta.url))].map(
    quoteForShell,
  ),
].join(' ');

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Removes options from the words before the cursor. The remaining words name a command. */
const PATH_OF = `  local word at=''
  for word in "$@"; do
    case "$word" in -*) ;; *) [ -n "$at" ] && at="$at $word" || at="$word" ;; esac
  done`;

const listChoices = ({ commands, options }: CompletionContext): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');

/** Longer commands come first, so that the most specific pattern matches. */
const sortContexts = (places: CompletionContext[]): CompletionContext[] =>
  [...places].sort((a, b) => b.words.length - a.words.length);

const buildCaseBranches = (
  places: CompletionContext[],
  line: (context: CompletionContext) => string,
): string =>
  sortContexts(places)
    .map(
      (context) =>
        `    ${context.words ? `'${context.words}'|'${context.words} '*` : '*'}) ${line(context)} ;;`,
    )
    .join('\n');

function buildBashScript(places: CompletionContext[]): string {
  return `# Atrium: completion for bash
atrium() { ${CALL} "$@"; }
_atrium_words() {
${PATH_OF}
  case "$at" in
${buildCaseBranches(places, (context) => `echo '${listChoices(context)}'`)}
  esac
}
_atrium() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_atrium_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _atrium atrium`;
}

function buildZshScript(places: CompletionContext[]): string {
  const describeItems = ({ commands, options }: CompletionContext) =>
    [
      ...commands.map(({ name, about }) => ({ name, about })),
      ...options.map(({ flag, about }) => ({ name: flag, about })),
    ]
      .map(({ name, about }) => quoteForShell(`${name}:${about.replaceAll(':', '\\:')}`))
      .join(' ');
  return `# Atrium: completion for zsh
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
atrium() { ${CALL} "$@" }
_atrium_choose() {
${PATH_OF}
  local -a choices
  case "$at" in
${buildCaseBranches(places, (context) => `choices=(${describeItems(context)})`)}
  esac
  _describe 'command' choices || _files
}
_atrium() { _atrium_choose "\${(@)words[2,CURRENT-1]}" }
compdef _atrium atrium`;
}

function buildFishScript(places: CompletionContext[]): string {
  const lines = places.flatMap(({ words, commands, options }) => {
    const when = `-n '__atrium_at "${words}"'`;
    return [
      ...commands.map(({ name, about }) => `complete -c atrium -f ${when} -a ${name} -d ${quoteFish(about)}`),
      ...options.map(
        ({ flag, about }) => `complete -c atrium ${when} -l ${flag.slice(2)} -d ${quoteFish(about)}`,
      ),
    ];
  });
  return `# Atrium: completion for fish
function atrium; ${CALL} $argv; end
function __atrium_at
  set -l at (string match -v -- '-*' (commandline -opc)[2..])
  if test "$argv[1]" = ""
    test (count $at) -eq 0
  else
    string match -q -- "$argv[1]*" "$at"
  end
end
${lines.join('\n')}`;
}

const quoteFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

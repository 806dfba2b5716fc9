import { execFileSync, spawnSync } from 'node:child_process';

// Checks the subjects of the commits between a base and HEAD:
//   npm run check:commits -- --base origin/main

const MAX_SUBJECT_LENGTH = 72;

/** The area is a folder or domain word, such as `schema/mailbox` or `rest`. */
const SUBJECT = /^(?<area>[a-z0-9][a-z0-9/.-]*): (?<summary>\S.*)$/;

/** Imperatives that end like other verb forms. Imperatives in `-eed` and `-ss` are not listed. */
const IMPERATIVES = new Set('alias bias bring embed focus ping ring shed spring string swing'.split(' '));

const NO_VERBS = new Set(
  'a all an and each every in it no not of on one only the what when where who'.split(' '),
);

export function findSubjectMistake(subject: string): string | null {
  // Git generates these subjects from another commit's subject.
  if (/^Revert ".+"$/.test(subject)) return null;
  const { summary } = SUBJECT.exec(subject)?.groups ?? {};
  if (!summary) return 'is not "area: summary", such as "rest: return a page cursor"';
  if (subject.length > MAX_SUBJECT_LENGTH)
    return `has ${subject.length} characters, at most ${MAX_SUBJECT_LENGTH} are allowed`;
  if (summary.endsWith('.')) return 'ends with a period';
  const verb = /^[a-z][a-z-]*(?=\s|$)/.exec(summary)?.[0];
  if (!verb) return 'does not begin with a verb in lower case after the area';
  if (!isImperative(verb)) return `begins with "${verb}", which is not in the imperative`;
  return null;
}

const isImperative = (verb: string): boolean =>
  IMPERATIVES.has(verb) || !(NO_VERBS.has(verb) || /(?:[^e]ed|ing|[^s]s)$/.test(verb));

/** @throws Error with a message for the developer if the repository does not contain the base */
export function readSubjects(base: string): string[] {
  const { status } = spawnSync('git', ['rev-parse', '--quiet', '--verify', `${base}^{commit}`]);
  if (status !== 0)
    throw new Error(`this clone does not contain ${base}. Fetch it, or pass another commit with --base.`);
  const args = ['log', '--no-merges', '--format=%s', `${base}..HEAD`];
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

function checkSubjects(base: string): void {
  const subjects = readSubjects(base);
  const mistakes = subjects.flatMap((subject) => {
    const mistake = findSubjectMistake(subject);
    return mistake ? [`"${subject}" ${mistake}`] : [];
  });
  for (const mistake of mistakes) console.error(`commit subject: ${mistake}`);
  console.log(`commit subjects: ${subjects.length} checked, ${mistakes.length || 'no'} mistakes`);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  const index = process.argv.indexOf('--base');
  try {
    checkSubjects(index < 0 ? 'origin/main' : process.argv[index + 1]!);
  } catch (error) {
    console.error(`commit subjects: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

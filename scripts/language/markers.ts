// Markers of text that an engineer has to decode, and of names that hide what a function does. Each is correct English,
// and only a high rate is a problem, so `check.ts` limits the rates.

const MARKERS = [
  // Relative clauses without a noun.
  /\bwhat (?:is|was|are|were|has|have|had|can|may|must|does|do|becomes|comes|stands|lies|goes)\b/gi,
  /\b(?:of|by|to|in|from|for|with|over|at|on) which\b/gi,
  /\bthose (?:that|who|of|which)\b/gi,
  /(?:^|[,.;:] )who (?:has|is|may|can|does|asks|sends|gets)\b/gim,
  // Old-fashioned words and idioms.
  /\b(?:(?:is|are|has) none|none of)\b/gi,
  /\b(?:meanwhile|beside|somebody|anybody|nobody|whoever|thereby|wherever)\b/gi,
  /\b(?:all the same|at work|is to stay|on (?:its|their) way|goes on|went on|as it is|as they are)\b/gi,
];

const QUESTION_WORD =
  /^(?:What|Whether|Who|Whose|Whom|Of|By|Those|Which|Where|As|One|How|That of|With what)\b/;

/** Names such as `taken` and `held`, which describe neither what a function does nor what a type is. */
const IRREGULAR_PARTICIPLES = new Set(
  (
    'begun bound brought built caught chosen come done drawn felt found given gone heard held hidden kept known left ' +
    'lost made meant met paid put said seen sent set shown sought spent taken told written'
  ).split(' '),
);

const NO_PARTICIPLES = new Set(
  (
    'bed embed red shed bring ping ring spring string thing king ' +
    'billing binding building heading listing mapping meaning onboarding padding pricing rating routing setting ' +
    'spacing timing warning'
  ).split(' '),
);

export const findMarkers = (text: string): string[] =>
  MARKERS.flatMap((marker) => text.match(marker) ?? []).map((match) => match.replace(/^\W+/, ''));

export const startsWithQuestionWord = (text: string): boolean => QUESTION_WORD.test(text);

/** Detects a name that is a single participle, such as `taken` or `Asked`. */
export function isParticiple(name: string): boolean {
  const word = name[0]!.toLowerCase() + name.slice(1);
  if (!/^[a-z]+$/.test(word) || NO_PARTICIPLES.has(word)) return false;
  return IRREGULAR_PARTICIPLES.has(word) || /(?:[^e]ed|ing)$/.test(word);
}

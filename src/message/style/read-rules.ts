export interface RawStyleRule {
  selectors: string;
  declarations: string;
  /** Conditions of the enclosing `@media` rules, outermost first. */
  media: string[];
}

interface OpenBlock {
  kind: 'media' | 'rule' | 'ignored';
  prelude: string;
  from: number;
  /** Position of the first block nested in the declarations, or -1. */
  nested: number;
}

const STRING_PATTERN = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/.source;
const COMMENT_PATTERN = new RegExp(`(${STRING_PATTERN})|/\\*[\\s\\S]*?(?:\\*/|$)|<!--|-->`, 'g');
const STRUCTURE_PATTERN = new RegExp(`${STRING_PATTERN}|\\\\[\\s\\S]|[{};]`, 'g');

/**
 * Parses the rules of a style sheet with the error recovery of CSS Syntax 3: open blocks are closed at the end, and an
 * unmatched `}` invalidates only the next rule. Ignores at-rules other than conditional groups. Takes linear time.
 */
export function parseStyleRules(sheet: string): RawStyleRule[] {
  const css = sheet.replace(COMMENT_PATTERN, '$1');
  const rules: RawStyleRule[] = [];
  const openBlocks: OpenBlock[] = [];
  let from = 0;
  const close = (index: number) => {
    const block = openBlocks.pop()!;
    if (block.kind === 'rule') rules.push(buildRule(css, block, index, openBlocks));
    if (openBlocks.at(-1)?.kind !== 'rule') from = index + 1;
  };
  for (const { 0: token, index } of css.matchAll(STRUCTURE_PATTERN)) {
    const top = openBlocks.at(-1);
    if (token === '{') {
      if (top?.kind === 'rule' && top.nested < 0) top.nested = index;
      const prelude = css.slice(from, index).trim().replace(GROUP_RULE, '@media all');
      const kind = top && top.kind !== 'media' ? 'ignored' : getBlockKind(prelude);
      openBlocks.push({ kind, prelude: kind === 'ignored' ? '' : prelude, from: index + 1, nested: -1 });
      from = index + 1;
    } else if (token === '}' && top) close(index);
    else if (
      token === ';' &&
      css
        .slice(from, from + 1_000)
        .trimStart()
        .startsWith('@')
    )
      from = index + 1;
  }
  while (openBlocks.length > 0) close(css.length);
  return rules;
}

/** Layers, and conditions on properties that all current browsers support. */
const GROUP_RULE =
  /^@(?:layer(?![\w-])|supports\s{0,99}\(\s{0,99}(?:display|color|position|float|margin|opacity)\s{0,99}:)[\s\S]*/i;

function getBlockKind(prelude: string): OpenBlock['kind'] {
  if (/^@media(?![\w-])/i.test(prelude)) return 'media';
  return prelude.startsWith('@') ? 'ignored' : 'rule';
}

function buildRule(
  css: string,
  { prelude, from, nested }: OpenBlock,
  to: number,
  blocks: OpenBlock[],
): RawStyleRule {
  const media = blocks.map((block) => block.prelude.slice('@media'.length).trim());
  return { selectors: prelude, declarations: css.slice(from, nested < 0 ? to : nested), media };
}

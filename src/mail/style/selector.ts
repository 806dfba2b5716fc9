/** What a part of a selector asks of one element. */
export interface Compound {
  /** In lower case; empty for any. */
  tag: string;
  id: string;
  classes: string[];
  /** Whether the part before it asks for the parent, and not for any element around it. */
  isChild: boolean;
}

/** A selector, the part for the element itself last. */
export type Selector = Compound[];

/** What selectors ask of an element. */
export interface Subject {
  tag: string;
  id: string;
  classes: readonly string[];
  parent: Subject | null;
}

/** Before the classes and ids of a message, so that they are none of the page around it. */
const PREFIX = 'mail-';

/** A class or an id of a message as it is shown: letters, digits, `-` and `_` alone. */
export const scopedName = (name: string): string =>
  PREFIX + name.replace(/[^a-zA-Z0-9-]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);

/** Characters of the classes of an element that are read. */
const LONGEST_CLASSES = 1_000;
const LONGEST_SELECTOR = 300;
const MOST_COMPOUNDS = 6;

const NAME = '(?:[\\w\\u0080-\\uffff-]|\\\\(?:[0-9a-f]{1,6}\\s?|[^\\n\\r\\f0-9a-f]))+';
/** The words of a selector; `:link` stands for links, which all links of a message are. */
const WORD = new RegExp(
  `\\s*([>])\\s*|(\\s+)|(\\*)|(?:\\.(${NAME}))|(?:#(${NAME}))|(${NAME})|(:link)(?![\\w-])|` +
    `\\[class~?=(["']?)([\\w-]+)\\8\\]`,
  'iy',
);

/** Null for a selector of which it cannot be known, from the elements around it alone, whether an element matches. */
export function readSelector(given: string): Selector | null {
  const text = given.trim();
  if (text === '' || text.length > LONGEST_SELECTOR) return null;
  const selector: Selector = [emptyCompound(false)];
  let isBegun = false;
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const [, child, space, any, className, id, tag, link, , attribute] = WORD.exec(text) ?? [];
    const last = selector.at(-1)!;
    if (child !== undefined || space !== undefined) {
      if (!isBegun) return null;
      selector.push(emptyCompound(child !== undefined));
      isBegun = false;
      continue;
    }
    if (any !== undefined || tag !== undefined) {
      if (isBegun) return null;
      last.tag = tag === undefined ? '' : readName(tag).toLowerCase();
    } else if (className !== undefined || attribute !== undefined)
      last.classes.push(attribute ?? readName(className!));
    else if (id !== undefined && (last.id === '' || last.id === readName(id))) last.id = readName(id);
    else if (link === undefined) return null;
    isBegun = true;
  }
  return isBegun && selector.length <= MOST_COMPOUNDS ? withoutRoot(selector) : null;
}

const emptyCompound = (isChild: boolean): Compound => ({ tag: '', id: '', classes: [], isChild });

const readName = (name: string): string =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) =>
    hex ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0xffff) || 0xfffd) : char!,
  );

/** `html` before other parts says nothing, and the page of a message is `body` whatever its classes are. */
function withoutRoot(selector: Selector): Selector | null {
  const kept = selector.length > 1 && selector[0]!.tag === 'html' ? selector.slice(1) : selector;
  const isPlain = ({ id, classes }: Compound) => id === '' && classes.length === 0;
  if (kept.some(({ tag }, index) => isRoot(tag) && (index > 0 || !isPlain(kept[index]!)))) return null;
  return kept.map((each) => (each.tag === 'html' ? { ...each, tag: 'body' } : each));
}

const isRoot = (tag: string): boolean => tag === 'body' || tag === 'html';

/** The selector within an element of a class, which stands for the page of the message. */
export function selectorText(selector: Selector, scope: string): string {
  const [first] = selector;
  const own = isRoot(first!.tag) ? selector.slice(1) : selector;
  return own.reduce((text, compound, index) => {
    const isChild = compound.isChild && (index > 0 || own !== selector);
    return `${text}${isChild ? '>' : ' '}${compoundText(compound)}`;
  }, `.${scope}`);
}

const compoundText = ({ tag, id, classes }: Compound): string =>
  (tag.replace(/[^a-z0-9]/g, 'x') || (id || classes.length > 0 ? '' : '*')) +
  (id && `#${scopedName(id)}`) +
  classes.map((name) => `.${scopedName(name)}`).join('');

/** Places in the cascade: what is greater counts more. */
export const specificityOf = (selector: Selector): number =>
  selector.reduce(
    (sum, { tag, id, classes }) => sum + (id ? 1_000_000 : 0) + classes.length * 1_000 + (tag ? 1 : 0),
    0,
  );

/** @param step is called for each comparison */
export function matchesSelector(selector: Selector, subject: Subject, step: () => void): boolean {
  return matchesFrom(selector, selector.length - 1, subject, step);
}

function matchesFrom(selector: Selector, at: number, subject: Subject | null, step: () => void): boolean {
  step();
  const compound = selector[at]!;
  if (!subject || !isOf(compound, subject)) return false;
  if (at === 0) return true;
  if (compound.isChild) return matchesFrom(selector, at - 1, subject.parent, step);
  for (let each = subject.parent; each; each = each.parent)
    if (matchesFrom(selector, at - 1, each, step)) return true;
  return false;
}

const isOf = ({ tag, id, classes }: Compound, subject: Subject): boolean =>
  (tag === '' ? subject.tag !== 'body' : tag === subject.tag) &&
  (id === '' || id === subject.id) &&
  classes.every((name) => subject.classes.includes(name));

/** What selectors ask of an element, by its attributes. */
export const selectorSubject = (
  tag: string,
  attributes: ReadonlyMap<string, string>,
  parent: Subject | null,
): Subject => ({
  tag,
  id: attributes.get('id') ?? '',
  classes: classesIn(attributes.get('class') ?? ''),
  parent,
});

/** The names in a `class` attribute. */
export const classesIn = (text: string): string[] =>
  text
    .slice(0, LONGEST_CLASSES)
    .split(/[ \t\r\n\f]+/)
    .filter((name) => name !== '');

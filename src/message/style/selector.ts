interface CompoundSelector {
  /** Lower case. Empty for any tag. */
  tag: string;
  id: string;
  classes: string[];
  /** Conditions on attributes, which only the original message fulfills. */
  attributes: AttributeCondition[];
  /** True if the preceding part must match the parent, or false if it can match any ancestor. */
  isChild: boolean;
}

interface AttributeCondition {
  name: string;
  /** `=`, an operator such as `^=`, or empty if the attribute only has to exist. */
  operator: string;
  value: string;
}

/** The parts of a selector. The last part matches the element itself. */
export type StyleSelector = CompoundSelector[];

export interface SelectorSubject {
  tag: string;
  id: string;
  classes: readonly string[];
  attributes: ReadonlyMap<string, string>;
  parent: SelectorSubject | null;
}

/** Prefix of a message's classes and ids, so that they cannot match classes and ids of the surrounding page. */
const SCOPE_PREFIX = 'mail-';

/** Renames a class or id of a message to letters, digits, `-` and `_`. */
export const scopeName = (name: string): string =>
  SCOPE_PREFIX + name.replace(/[^a-zA-Z0-9-]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);

const MAX_CLASS_CHARS = 1_000;
const MAX_SELECTOR_CHARS = 300;
const MAX_COMPOUNDS = 10;

const NAME_PATTERN = '(?:[\\w\\u0080-\\uffff-]|\\\\(?:[0-9a-f]{1,6}\\s?|[^\\n\\r\\f0-9a-f]))+';
/** All links of a message count as unvisited, so `:link` matches them. */
const SELECTOR_TOKEN = new RegExp(
  `\\s*([>])\\s*|(\\s+)|(\\*)|(?:\\.(${NAME_PATTERN}))|(?:#(${NAME_PATTERN}))|(${NAME_PATTERN})|(:link)(?![\\w-])|` +
    `\\[class~?=(["']?)([\\w-]+)\\8\\]|` +
    `\\[\\s*([\\w-]+)\\s*(?:([~|^$*]?=)\\s*(?:"([^"\\\\]*)"|'([^'\\\\]*)'|([\\w-]+))\\s*[is]?\\s*)?\\]|` +
    '(:root)(?![\\w-])',
  'iy',
);

/** Returns null if a match depends on anything but the element and its ancestors. */
export function parseSelector(selectorText: string): StyleSelector | null {
  const text = selectorText.trim().replace(/:(?:is|where)\(\s*([^()\s,>+~]{1,100})\s*\)/gi, '$1');
  if (text === '' || text.length > MAX_SELECTOR_CHARS) return null;
  const selector: StyleSelector = [createCompound(false)];
  let isBegun = false;
  SELECTOR_TOKEN.lastIndex = 0;
  while (SELECTOR_TOKEN.lastIndex < text.length) {
    const [, child, space, any, className, id, tag, link, , attribute, ...rest] =
      SELECTOR_TOKEN.exec(text) ?? [];
    const [name, operator = '', ...values] = rest;
    const root = rest.at(-1);
    const last = selector.at(-1)!;
    if (child !== undefined || space !== undefined) {
      if (!isBegun) return null;
      selector.push(createCompound(child !== undefined));
      isBegun = false;
      continue;
    }
    if (any !== undefined || tag !== undefined || root !== undefined) {
      if (isBegun) return null;
      last.tag = root ? 'html' : tag === undefined ? '' : unescapeName(tag).toLowerCase();
    } else if (className !== undefined || attribute !== undefined)
      last.classes.push(attribute ?? unescapeName(className!));
    else if (id !== undefined && (last.id === '' || last.id === unescapeName(id))) last.id = unescapeName(id);
    else if (name !== undefined)
      last.attributes.push({ name: name.toLowerCase(), operator, value: values.slice(0, 3).join('') });
    else if (link === undefined) return null;
    isBegun = true;
  }
  return isBegun && selector.length <= MAX_COMPOUNDS ? removeRoot(selector) : null;
}

const createCompound = (isChild: boolean): CompoundSelector => ({
  ...{ tag: '', id: '', classes: [], attributes: [], isChild },
});

const unescapeName = (name: string): string =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) =>
    hex ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0xffff) || 0xfffd) : char!,
  );

/** Removes a redundant leading `html`. Rejects `body` with an id or a class, which the page of a message lacks. */
function removeRoot(selector: StyleSelector): StyleSelector | null {
  const compounds = selector.length > 1 && selector[0]!.tag === 'html' ? selector.slice(1) : selector;
  const hasOnlyTag = ({ id, classes, attributes }: CompoundSelector) =>
    id === '' && classes.length === 0 && attributes.length === 0;
  if (compounds.some(({ tag }, index) => isRoot(tag) && (index > 0 || !hasOnlyTag(compounds[index]!))))
    return null;
  return compounds.map((compound) => (compound.tag === 'html' ? { ...compound, tag: 'body' } : compound));
}

const isRoot = (tag: string): boolean => tag === 'body' || tag === 'html';

/** Formats the selector for elements inside the class `scope`, which represents the page of the message. */
export function formatSelector(selector: StyleSelector, scope: string): string {
  const [first] = selector;
  const compounds = isRoot(first!.tag) ? selector.slice(1) : selector;
  return compounds.reduce((text, compound, index) => {
    const isChild = compound.isChild && (index > 0 || compounds !== selector);
    return `${text}${isChild ? '>' : ' '}${formatCompound(compound)}`;
  }, `.${scope}`);
}

const formatCompound = ({ tag, id, classes }: CompoundSelector): string =>
  (tag.replace(/[^a-z0-9]/g, 'x') || (id || classes.length > 0 ? '' : '*')) +
  (id && `#${scopeName(id)}`) +
  classes.map((name) => `.${scopeName(name)}`).join('');

export const computeSpecificity = (selector: StyleSelector): number =>
  selector.reduce(
    (sum, { tag, id, classes, attributes }) =>
      sum + (id ? 1_000_000 : 0) + (classes.length + attributes.length) * 1_000 + (tag ? 1 : 0),
    0,
  );

/** Returns true if displayed messages keep everything that the selector depends on. */
export const isDisplayable = (selector: StyleSelector): boolean =>
  selector.every(({ attributes }) => attributes.length === 0);

type StepCounter = (steps?: number) => void;

/** @param step called with the steps that each comparison takes */
export function matchesSelector(
  selector: StyleSelector,
  subject: SelectorSubject,
  step: StepCounter,
): boolean {
  return matchesCompoundsFrom(selector, selector.length - 1, subject, step);
}

function matchesCompoundsFrom(
  selector: StyleSelector,
  index: number,
  subject: SelectorSubject | null,
  step: StepCounter,
): boolean {
  step();
  const compound = selector[index]!;
  if (!subject || !matchesCompound(compound, subject, step)) return false;
  if (index === 0) return true;
  if (compound.isChild) return matchesCompoundsFrom(selector, index - 1, subject.parent, step);
  for (let item = subject.parent; item; item = item.parent)
    if (matchesCompoundsFrom(selector, index - 1, item, step)) return true;
  return false;
}

const matchesCompound = (
  { tag, id, classes, attributes }: CompoundSelector,
  subject: SelectorSubject,
  step: StepCounter,
): boolean =>
  (tag === '' ? subject.tag !== 'body' : tag === subject.tag) &&
  (id === '' || id === subject.id) &&
  classes.every((name) => subject.classes.includes(name)) &&
  attributes.every((condition) => matchesAttribute(condition, subject.attributes.get(condition.name), step));

/** Characters of an attribute that take as long to search as one step. */
const CHARS_PER_STEP = 50;

function matchesAttribute(
  { operator, value }: AttributeCondition,
  actual: string | undefined,
  step: StepCounter,
): boolean {
  step(1 + (actual?.length ?? 0) / CHARS_PER_STEP);
  if (actual === undefined) return false;
  if (operator === '') return true;
  if (operator === '=') return actual === value;
  if (operator === '|=') return actual === value || actual.startsWith(`${value}-`);
  if (value === '') return false;
  if (operator === '^=') return actual.startsWith(value);
  if (operator === '$=') return actual.endsWith(value);
  if (operator === '*=') return actual.includes(value);
  return !/\s/.test(value) && ` ${actual.replace(/[\t\r\n\f]/g, ' ')} `.includes(` ${value} `);
}

export const buildSubject = (
  tag: string,
  attributes: ReadonlyMap<string, string>,
  parent: SelectorSubject | null,
): SelectorSubject => ({
  tag,
  id: attributes.get('id') ?? '',
  classes: parseClasses(attributes.get('class') ?? ''),
  attributes,
  parent,
});

export const parseClasses = (text: string): string[] =>
  text
    .slice(0, MAX_CLASS_CHARS)
    .split(/[ \t\r\n\f]+/)
    .filter((name) => name !== '');

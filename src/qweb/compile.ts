import { escapeHtml } from '../escape-html.ts';
import { limits } from '../limits.ts';
import { type Expression, parseExpression } from './expression.ts';
import { MarkupError, type MarkupPlace } from './markup-error.ts';
import { type Attribute, type MarkupElement, type MarkupNode, parseMarkup } from './parse.ts';
import { checkElement, isAddress, type MarkupRights } from './policy.ts';

/** A step of a template: text as it is, or something that depends on values. */
export type MarkupStep =
  | string
  | { kind: 'out'; value: Expression; otherwise: MarkupStep[] }
  | { kind: 'attribute'; name: string; value: Expression | TextPiece[] }
  | { kind: 'address'; name: string; value: string }
  | { kind: 'picture'; source: MarkupStep; hasSize: boolean; hasLoading: boolean }
  | { kind: 'if'; branches: { test: Expression | null; steps: MarkupStep[] }[] }
  | { kind: 'each'; list: Expression | string; as: string; steps: MarkupStep[] }
  | { kind: 'set'; name: string; value: Expression | TextPiece[] | null; steps: MarkupStep[] }
  | { kind: 'call'; template: string; steps: MarkupStep[] };

/** A part of a text with places for values, `{{ path }}` or `#{path}`. */
export type TextPiece = string | Expression;

/** Records that a template lists. */
export interface RecordList {
  /** By which the list is found among the values that are given. */
  id: string;
  model: string;
  fields: string[];
  domain: unknown[];
  order: string | null;
  limit: number;
}

export interface CompiledMarkup {
  steps: MarkupStep[];
  /** Names of the templates that it calls. */
  calls: string[];
  queries: RecordList[];
  /** Whether it is a whole document. */
  isDocument: boolean;
  /** Characters of its markup. */
  size: number;
}

/**
 * Compiles markup.
 * @throws MarkupError for what is not well-formed, not understood or not allowed, with its line and column
 */
export function compileMarkup(text: string, rights: MarkupRights): CompiledMarkup {
  const root = parseMarkup(text);
  const work: Work = { rights, calls: new Set(), queries: [] };
  const steps = joined(stepsOf([root], work));
  return {
    steps,
    calls: [...work.calls],
    queries: work.queries,
    isDocument: root.name === 'html',
    size: text.length,
  };
}

interface Work {
  rights: MarkupRights;
  calls: Set<string>;
  queries: RecordList[];
}

/** Neighbouring texts as one. */
function joined(steps: MarkupStep[]): MarkupStep[] {
  const result: MarkupStep[] = [];
  for (const step of steps) {
    if (typeof step === 'string' && typeof result.at(-1) === 'string') result.push(`${result.pop()}${step}`);
    else result.push(step);
  }
  return result;
}

function stepsOf(nodes: MarkupNode[], work: Work): MarkupStep[] {
  const result: MarkupStep[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (node.kind === 'text') {
      result.push(escapeHtml(node.text));
      continue;
    }
    const found = directive(node, 't-elif') ?? directive(node, 't-else');
    if (found) throw new MarkupError(`${found.name} has to follow an element with t-if.`, found);
    if (!directive(node, 't-if')) result.push(...elementSteps(node, work));
    else {
      const chain = chainFrom(nodes, at);
      result.push({ kind: 'if', branches: chain.map((each) => branchOf(each, work)) });
      at = nodes.indexOf(chain.at(-1)!, at);
    }
  }
  return joined(result);
}

const directive = (element: MarkupElement, name: string): Attribute | undefined =>
  element.attributes.find((attribute) => attribute.name === name);

/** An element with t-if, and those with t-elif and t-else that follow it; only white space stands between. */
function chainFrom(nodes: MarkupNode[], start: number): MarkupElement[] {
  const chain = [nodes[start] as MarkupElement];
  for (let at = start + 1; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (node.kind === 'text') {
      if (node.text.trim() !== '') break;
      continue;
    }
    if (!directive(node, 't-elif') && !directive(node, 't-else')) break;
    chain.push(node);
    if (directive(node, 't-else')) break;
  }
  return chain;
}

function branchOf(element: MarkupElement, work: Work): { test: Expression | null; steps: MarkupStep[] } {
  const test = directive(element, 't-if') ?? directive(element, 't-elif');
  return { test: test ? expressionOf(test) : null, steps: elementSteps(element, work) };
}

/** @throws MarkupError for what is none, at the attribute */
function expressionOf(attribute: Attribute): Expression {
  return at(attribute, () => parseExpression(attribute.value));
}

function at<T>(place: Attribute, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MarkupError) throw error;
    throw new MarkupError(`${place.name}: ${(error as Error).message}.`, place);
  }
}

function elementSteps(element: MarkupElement, work: Work): MarkupStep[] {
  checkElement(element, work.rights);
  checkDirectives(element);
  const list = directive(element, 't-foreach') ?? directive(element, 't-records');
  const inner = insideLoop(element, work);
  if (!list) return inner;
  const as = directive(element, 't-as')?.value ?? '';
  if (!/^[A-Za-z_]\w{0,99}$/.test(as))
    throw new MarkupError(`${list.name} needs t-as, the name of an entry.`, list);
  const source = list.name === 't-foreach' ? expressionOf(list) : queryOf(element, list, work);
  return [{ kind: 'each', list: source, as, steps: inner }];
}

function insideLoop(element: MarkupElement, work: Work): MarkupStep[] {
  const set = directive(element, 't-set');
  const call = directive(element, 't-call');
  if (set) return [setStep(element, set, work)];
  if (!call) return tagged(element, content(element, work));
  if (!/^[A-Za-z_][\w.-]{0,199}$/.test(call.value))
    throw new MarkupError('t-call needs the key of a view.', call);
  work.calls.add(call.value);
  return tagged(element, [{ kind: 'call', template: call.value, steps: stepsOf(element.children, work) }]);
}

function setStep(element: MarkupElement, set: Attribute, work: Work): MarkupStep {
  if (!/^[A-Za-z_]\w{0,99}$/.test(set.value)) throw new MarkupError('t-set needs the name of a value.', set);
  const value = directive(element, 't-value');
  const filled = directive(element, 't-valuef');
  return {
    kind: 'set',
    name: set.value,
    value: value ? expressionOf(value) : filled ? piecesOf(filled) : null,
    steps: value || filled ? [] : stepsOf(element.children, work),
  };
}

/** What stands in an element. */
function content(element: MarkupElement, work: Work): MarkupStep[] {
  const out = directive(element, 't-out') ?? directive(element, 't-esc') ?? directive(element, 't-field');
  if (RAW_TEXT.has(element.name)) {
    if (out) throw new MarkupError(`${out.name} does not stand in ${element.name}.`, out);
    return [rawText(element)];
  }
  const children = stepsOf(element.children, work);
  if (!out) return children;
  // `0` is what stands in the element that calls this template.
  const value: Expression = out.value.trim() === '0' ? { kind: 'path', path: ['0'] } : expressionOf(out);
  return [{ kind: 'out', value, otherwise: children }];
}

/** Elements whose text HTML does not decode. */
const RAW_TEXT = new Set(['style', 'script']);

function rawText({ name, children, ...place }: MarkupElement): string {
  return children
    .map((node) => {
      const isText = node.kind === 'text' && !(name === 'style' ? /[<]/ : /<\/|<!--/).test(node.text);
      if (!isText) throw new MarkupError(`${name} holds nothing but its text, without tags.`, place);
      return node.text;
    })
    .join('');
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** The tag of an element around what stands in it; `t` is no tag. */
function tagged(element: MarkupElement, inner: MarkupStep[]): MarkupStep[] {
  const { name, attributes } = element;
  const dynamic = attributes.find((each) => /^t-attf?-/.test(each.name));
  if (name === 't') {
    const plain = dynamic ?? attributes.find((each) => !each.name.startsWith('t-'));
    if (plain) throw new MarkupError(`t has no attributes of its own: ${plain.name}.`, plain);
    return inner;
  }
  const written = name === 'img' ? pictureSteps(attributes) : attributes.flatMap(attributeSteps);
  const open: MarkupStep[] = [`<${name}`, ...written, '>'];
  if (!VOID.has(name)) return [...open, ...inner, `</${name}>`];
  if (inner.length > 0) throw new MarkupError(`${name} holds nothing.`, element);
  return open;
}

/** The attributes of an image; what its author says of its size and of when it is loaded stays as it is. */
function pictureSteps(attributes: Attribute[]): MarkupStep[] {
  const nameOf = ({ name }: Attribute) => name.replace(/^t-attf?-/, '').toLowerCase();
  const has = (names: string[]) => attributes.some((each) => names.includes(nameOf(each)));
  const flags = { hasSize: has(SIZE), hasLoading: has(LOADING) };
  return attributes.flatMap((attribute) =>
    attributeSteps(attribute).map((source) =>
      nameOf(attribute) === 'src' ? { kind: 'picture', source, ...flags } : source,
    ),
  );
}

const SIZE = ['width', 'height', 'srcset', 'sizes'];
const LOADING = ['loading', 'decoding', 'fetchpriority'];

function attributeSteps(attribute: Attribute): MarkupStep[] {
  const { name, value } = attribute;
  const filled = /^t-attf-(.+)$/.exec(name)?.[1];
  if (filled) return [{ kind: 'attribute', name: filled, value: piecesOf(attribute) }];
  const computed = /^t-att-(.+)$/.exec(name)?.[1];
  if (computed) return [{ kind: 'attribute', name: computed, value: expressionOf(attribute) }];
  if (name.startsWith('t-')) return [];
  return isAddress(name) ? [{ kind: 'address', name, value }] : [` ${name}="${escapeHtml(value)}"`];
}

function piecesOf(attribute: Attribute): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of attribute.value.matchAll(/\{\{([^{}]*)\}\}|#\{([^{}]*)\}/g)) {
    if (match.index > end) pieces.push(attribute.value.slice(end, match.index));
    pieces.push(at(attribute, () => parseExpression(match[1] ?? match[2]!)));
    end = match.index + match[0].length;
  }
  if (end < attribute.value.length) pieces.push(attribute.value.slice(end));
  return pieces;
}

const DIRECTIVES = new Set([
  ...[
    't-if',
    't-elif',
    't-else',
    't-foreach',
    't-as',
    't-set',
    't-value',
    't-valuef',
    't-out',
    't-esc',
    't-field',
  ],
  ...['t-call', 't-name', 't-records', 't-fields', 't-domain', 't-order', 't-limit'],
]);

function checkDirectives({ attributes }: MarkupElement): void {
  for (const attribute of attributes) {
    const { name } = attribute;
    if (name === 'groups')
      throw new MarkupError('groups is not known here: use the visibility of the page.', attribute);
    if (!name.startsWith('t-') || /^t-attf?-[A-Za-z_]/.test(name) || DIRECTIVES.has(name)) continue;
    const hint = name === 't-raw' ? ' Use t-out, which escapes.' : '';
    throw new MarkupError(`${name} is no directive.${hint}`, attribute);
  }
}

function queryOf(element: MarkupElement, of: Attribute, { queries }: Work): string {
  if (queries.length >= limits.site.queries)
    throw new MarkupError(`A view lists records ${limits.site.queries} times at most.`, of);
  const query: Omit<RecordList, 'id'> = {
    model: of.value,
    fields: (directive(element, 't-fields')?.value ?? 'display_name').split(/[\s,]+/).filter(Boolean),
    domain: domainOf(directive(element, 't-domain')),
    order: directive(element, 't-order')?.value ?? null,
    limit: limitOf(directive(element, 't-limit')),
  };
  const id = JSON.stringify(query);
  queries.push({ ...query, id });
  return id;
}

function domainOf(attribute: Attribute | undefined): unknown[] {
  if (!attribute) return [];
  return at(attribute, () => {
    const domain: unknown = JSON.parse(attribute.value);
    if (!Array.isArray(domain)) throw new Error('a domain is a list of conditions, in JSON');
    return domain;
  });
}

function limitOf(attribute: Attribute | undefined): number {
  const limit = Number(attribute?.value ?? 20);
  if (Number.isInteger(limit) && limit > 0 && limit <= limits.site.listed) return limit;
  throw new MarkupError(`t-limit is a number up to ${limits.site.listed}.`, attribute as MarkupPlace);
}
